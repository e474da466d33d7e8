import { and, eq } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { requireVerified } from '../identity/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { BankDetails } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { readOrder } from './read.ts'
import { orders } from './schema.ts'

/**
 * The customer says that the transfer was made: 0 becomes 1. Saying it again, or after the payment was seen, changes
 * nothing and is not an error. Throws `kyc_required`, `order_not_found`.
 */
export async function declarePaid(context: Context, bank: BankDetails, customer: Customer, id: string): Promise<Order> {
  await requireVerified(context.db, customer)
  await context.db
    .update(orders)
    .set({ status: ORDER_STATUS.processing, updatedAt: context.clock() })
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId), eq(orders.status, ORDER_STATUS.pending)))
  return readOrder(context, bank, customer, id)
}
