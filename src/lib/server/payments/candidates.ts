/** Which open orders a payment that fits none may have meant. */
import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { type Candidate, meantReferences, scoreCandidates } from '#lib/domain/payments/candidates.ts'
import { type OrderRow, orders } from '../orders/index.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { verifiedNameOf } from './instruct.ts'
import type { Payment } from './match.ts'
import { paymentDecisions, payments } from './schema.ts'

const LOOKED_AT = 40
const MOST_CANDIDATES = 5

export type OrderCandidate = Candidate<OrderRow & { verifiedName: string; paidFrom: string[] }>

/** The best ones first: by reference, slips of it included, by amount, and by an account that has paid for the customer before. */
export async function candidatesFor(db: Executor, payment: Payment): Promise<OrderCandidate[]> {
  const open = inArray(orders.status, [ORDER_STATUS.pending, ORDER_STATUS.processing])
  const references = [...meantReferences(payment), ...(payment.orderId ? [payment.orderId] : [])]
  const customers = await customersOfAccount(db, payment)
  const newest = desc(orders.createdAt)
  const [named, priced, known] = await Promise.all([
    references.length > 0
      ? db
          .select()
          .from(orders)
          .where(and(open, inArray(orders.id, references)))
      : [],
    // By its own index: the few open orders of this price.
    db
      .select()
      .from(orders)
      .where(and(lt(orders.status, literal(ORDER_STATUS.completed)), eq(orders.euroCentsToPay, payment.amountCents)))
      .orderBy(newest)
      .limit(LOOKED_AT),
    customers.length > 0
      ? db
          .select()
          .from(orders)
          .where(and(open, inArray(orders.userId, customers)))
          .orderBy(newest)
          .limit(LOOKED_AT)
      : []
  ])
  const found = [...new Map([...named, ...known, ...priced].map((order) => [order.id, order])).values()]
  const paidFrom = await accountsOf(db, [...new Set(found.map(({ userId }) => userId))])
  const full = []
  for (const order of found)
    full.push({ ...order, verifiedName: await verifiedNameOf(db, order.userId), paidFrom: paidFrom.get(order.userId) ?? [] })
  return scoreCandidates(payment, full).slice(0, MOST_CANDIDATES)
}

/** Customers for whom this account has paid an order. */
export async function customersOfAccount(db: Executor, { payerIban }: Pick<Payment, 'payerIban'>): Promise<string[]> {
  if (payerIban === '') return []
  const rows = await db
    .selectDistinct({ userId: orders.userId })
    .from(payments)
    .leftJoin(paymentDecisions, and(eq(paymentDecisions.paymentId, payments.id), eq(paymentDecisions.decision, 'assigned')))
    .innerJoin(orders, eq(orders.id, sql`coalesce(${paymentDecisions.orderId}, ${payments.orderId})`))
    .where(and(eq(payments.payerIban, payerIban), or(eq(payments.outcome, 'matched'), eq(paymentDecisions.decision, 'assigned'))))
    .limit(LOOKED_AT)
  return rows.map(({ userId }) => userId)
}

/** The accounts from which each of these customers' orders were paid. */
async function accountsOf(db: Executor, userIds: string[]): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map()
  const rows = await db
    .select({ userId: orders.userId, iban: payments.payerIban })
    .from(orders)
    .innerJoin(payments, and(eq(payments.orderId, orders.id), eq(payments.outcome, 'matched')))
    .where(inArray(orders.userId, userIds))
  const assigned = await db
    .select({ userId: orders.userId, iban: payments.payerIban })
    .from(orders)
    .innerJoin(paymentDecisions, and(eq(paymentDecisions.orderId, orders.id), eq(paymentDecisions.decision, 'assigned')))
    .innerJoin(payments, eq(payments.id, paymentDecisions.paymentId))
    .where(inArray(orders.userId, userIds))
  const accounts = new Map<string, string[]>()
  for (const { userId, iban } of [...rows, ...assigned]) accounts.set(userId, [...(accounts.get(userId) ?? []), iban])
  return accounts
}
