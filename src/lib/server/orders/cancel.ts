import { and, eq, isNull } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { readOrder } from './read.ts'
import { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

/**
 * Cancels an order that is neither announced nor paid; cancelling it again changes nothing. Cancelled is not a status: an exact
 * payment in time still completes the order. Throws `order_not_found`, `order_not_cancellable`.
 */
export async function cancelOrder(context: Context, bank: BankDetails, customer: Customer, id: string): Promise<Order> {
  const now = context.clock()
  const isOpen = and(eq(orders.status, ORDER_STATUS.pending), isNull(orders.cancelledAt), isNull(orders.unfitPayment))
  await context.db
    .update(orders)
    .set({ cancelledAt: now, updatedAt: now })
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId), isOpen))
  const order = await readOrder(context, bank, customer, id)
  if (!order.cancelledAt) throw new AppError('order_not_cancellable')
  return order
}
