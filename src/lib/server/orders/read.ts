import { and, count, desc, eq } from 'drizzle-orm'
import type { Answer, Order } from '#lib/contract/types.ts'
import type { Context, Customer } from '../platform/context.ts'
import { orders } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { presentOrder } from './present.ts'

/** The customer's orders, newest first. */
export async function listOrders(
  context: Context,
  customer: Customer,
  { limit, offset }: { limit: number; offset: number }
): Promise<Answer<'listOrders'>> {
  const mine = eq(orders.userId, customer.userId)
  const [rows, [counted]] = await Promise.all([
    context.db.select().from(orders).where(mine).orderBy(desc(orders.createdAt), desc(orders.id)).limit(limit).offset(offset),
    context.db.select({ total: count() }).from(orders).where(mine)
  ])
  return {
    results: rows.map((row) => presentOrder(row, customer.email, context.ports.bank.details)),
    total: counted?.total ?? 0
  }
}

/** One of the customer's own orders. Throws `order_not_found`, also for somebody else's. */
export async function readOrder(context: Context, customer: Customer, id: string): Promise<Order> {
  const [row] = await context.db
    .select()
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, customer.userId)))
  if (!row) throw new AppError('order_not_found')
  return presentOrder(row, customer.email, context.ports.bank.details)
}
