import { and, count, desc, eq, gte, isNotNull, ne, notBetween, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { Answer, Order } from '#lib/contract/types.ts'
import { ORDER_STATUS, QUOTE_REUSE_HOURS } from '#lib/domain/orders/order.ts'
import { PROMOTION_IDS } from '#lib/domain/orders/packages.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { type OrderRow, presentOrder } from './present.ts'
import { orders } from './schema.ts'
import type { BankDetails } from './settings.ts'

const HOUR_MS = 3_600_000

/** Lists leave out orders that were not announced within a day, except those with a payment that does not fit. */
export const isListed = (now: Date) => isListedSince(oldestListed(now))

const oldestListed = (now: Date) => new Date(now.getTime() - QUOTE_REUSE_HOURS * HOUR_MS)

function isListedSince(oldest: Date | Placeholder): SQL | undefined {
  return or(ne(orders.status, ORDER_STATUS.pending), isNotNull(orders.unfitPayment), gte(orders.createdAt, oldest))
}

/** Excludes the packages of the promotion, which never count as staking. */
export const notBonusPackage = notBetween(orders.configId, PROMOTION_IDS.first, PROMOTION_IDS.last)

/** The customer's listed orders (see `isListed`), newest first. */
export async function listOrders(
  context: Context,
  bank: BankDetails,
  customer: Customer,
  { limit, offset }: { limit: number; offset: number }
): Promise<Answer<'listOrders'>> {
  const whose = { user: customer.userId, oldest: oldestListed(context.clock()) }
  const { newest, counts } = listed(context.db)
  const rows = await newest.execute({ ...whose, limit, offset })
  // A page that is not full is the last one: it needs no second question.
  const isLast = rows.length < limit && (rows.length > 0 || offset === 0)
  const total = isLast ? offset + rows.length : ((await counts.execute(whose))[0]?.total ?? 0)
  return {
    results: rows.map((row) => presentOrder(row, customer.email, bank)),
    total
  }
}

const listed = builtOnce((db) => {
  const mine = and(eq(orders.userId, sql.placeholder('user')), isListedSince(sql.placeholder('oldest')))
  const newest = db.select().from(orders).where(mine).orderBy(desc(orders.createdAt), desc(orders.id))
  return {
    newest: newest.limit(sql.placeholder('limit')).offset(sql.placeholder('offset')).prepare('orders_listed'),
    counts: db.select({ total: count() }).from(orders).where(mine).prepare('orders_counted')
  }
})

/** One of the customer's own orders. Throws `order_not_found`, also for somebody else's. */
export async function readOrder(context: Context, bank: BankDetails, customer: Customer, id: string): Promise<Order> {
  const [row] = await context.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId)))
  if (!row) throw new AppError('order_not_found')
  return presentOrder(row, customer.email, bank)
}

/** Any order by its id, for the bank; `lock` locks its row until the transaction ends. */
export async function findOrder(db: Executor, id: string, { lock }: { lock: boolean }): Promise<OrderRow | undefined> {
  const query = db.select().from(orders).where(eq(orders.id, id))
  const [order] = await (lock ? query.for('update') : query)
  return order
}
