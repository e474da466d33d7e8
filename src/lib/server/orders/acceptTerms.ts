import { and, eq, isNull } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { currentTerms } from '../legal/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { BankDetails } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { readOrder } from './read.ts'
import { orders } from './schema.ts'

/** The versions that hold now: what an order keeps when its terms are accepted. */
export const orderTerms = () => currentTerms(ORDER_TERMS)

/** The customer ticked all terms of an order: it keeps their versions. The first time counts. Throws `order_not_found`. */
export async function acceptOrderTerms(context: Context, bank: BankDetails, customer: Customer, id: string): Promise<Order> {
  const now = context.clock()
  await context.db
    .update(orders)
    .set({ acceptedTerms: orderTerms(), termsAcceptedAt: now, updatedAt: now })
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId), isNull(orders.termsAcceptedAt)))
  return readOrder(context, bank, customer, id)
}
