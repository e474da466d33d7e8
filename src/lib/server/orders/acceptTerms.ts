import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_TERMS, type TermsVersions } from '#lib/domain/legal/terms.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { currentTerms } from '../legal/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { readOrder } from './read.ts'
import { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

/** The current versions, which an order stores when its terms are accepted. */
const orderTerms = () => currentTerms(ORDER_TERMS)

/**
 * Stores that the customer ticked all terms of an order, in the versions that were shown. Only the first time counts. Throws
 * `order_not_found`, and `terms_changed` if a version is no longer current.
 */
export async function acceptOrderTerms(
  context: Context,
  bank: BankDetails,
  customer: Customer,
  { id, versions }: { id: string; versions: TermsVersions }
): Promise<Order> {
  const current = orderTerms()
  if (ORDER_TERMS.some((name) => versions[name] !== current[name])) throw new AppError('terms_changed')
  const now = context.clock()
  const isOpen = and(eq(orders.status, ORDER_STATUS.pending), isNull(orders.cancelledAt), isNull(orders.termsAcceptedAt))
  await context.db
    .update(orders)
    .set({ acceptedTerms: current, termsAcceptedAt: now, updatedAt: now })
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId), isOpen))
  return readOrder(context, bank, customer, id)
}

/** For how many orders each version of the texts of an order was accepted. */
export async function acceptedOrderTerms(db: Executor): Promise<{ document: string; version: string; count: number }[]> {
  return rowsOf(
    await db.execute(sql`
      select t.key as document, t.value as version, count(*)::int as count
      from orders, jsonb_each_text(accepted_terms) t where accepted_terms is not null group by 1, 2`)
  )
}
