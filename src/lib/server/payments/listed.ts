/** Payments as staff see them: those that fit no order, every entry, and what happened to one. */
import { and, asc, desc, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import type { Payment } from './match.ts'
import { paymentDecisions, paymentInstructions, paymentLeaves, paymentRecalls, payments, refunds } from './schema.ts'
import { undecidedPayments } from './unfit.ts'

type Leave = typeof paymentLeaves.$inferSelect
type Recall = typeof paymentRecalls.$inferSelect
type Instruction = typeof paymentInstructions.$inferSelect
type Decision = typeof paymentDecisions.$inferSelect

/** `instruction`: one that waits to be carried out. `leave`: the newest. `recall`: an open one. */
export type Apart = {
  payment: Payment
  leave: Leave | undefined
  recall: Recall | undefined
  instruction: Instruction | undefined
}

/** Incoming payments that wait for a decision, oldest first. */
export async function paymentsApart(db: Executor): Promise<Apart[]> {
  return withWhatHappened(db, await undecidedPayments(db))
}

async function withWhatHappened(db: Executor, found: Payment[]): Promise<Apart[]> {
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  // One after the other: it may run in a transaction, which has one connection.
  const leaves = await db.select().from(paymentLeaves).where(inArray(paymentLeaves.paymentId, ids)).orderBy(asc(paymentLeaves.id))
  const recalls = await db
    .select()
    .from(paymentRecalls)
    .where(and(inArray(paymentRecalls.paymentId, ids), isNull(paymentRecalls.answer)))
  const instructions = await db
    .select()
    .from(paymentInstructions)
    .where(
      and(
        eq(paymentInstructions.state, literal('waiting')),
        sql`${paymentInstructions.paymentIds} && ${`{${ids.join(',')}}`}::bigint[]`
      )
    )
    .orderBy(asc(paymentInstructions.id))
  return found.map((payment) => {
    return {
      payment,
      leave: leaves.findLast(({ paymentId }) => paymentId === payment.id),
      recall: recalls.find(({ paymentId }) => paymentId === payment.id),
      instruction: instructions.find(({ paymentIds }) => paymentIds.includes(payment.id))
    }
  })
}

/** One payment as it is now, read in the caller's transaction; undefined if there is none. */
export async function apartOf(db: Executor, id: bigint): Promise<(Apart & { isWaiting: boolean }) | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  if (!payment) return undefined
  const [apart] = await withWhatHappened(db, [payment])
  const waiting = await undecidedPayments(db, payment.orderId ?? undefined)
  return apart && { ...apart, isWaiting: waiting.some((one) => one.id === id) }
}

export type PaymentStory = Apart & {
  isWaiting: boolean
  decision: Decision | undefined
  instructions: Instruction[]
  leaves: Leave[]
  recalls: Recall[]
  /** The transfer by which it goes back, and the entry by which a refund of ours came back. */
  refund: typeof refunds.$inferSelect | undefined
  returned: typeof refunds.$inferSelect | undefined
  /** Other entries about the same money: what went back, or was taken back. */
  related: Payment[]
}

/** One entry and everything that happened to it; undefined if there is none. */
export async function paymentStory(db: Executor, id: bigint): Promise<PaymentStory | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  if (!payment) return undefined
  const [[apart], waiting, [decision], instructions, leaves, recalls, [refund], [returned], related] = await Promise.all([
    withWhatHappened(db, [payment]),
    payment.direction === 'credit' && payment.outcome !== 'matched' ? undecidedPayments(db, payment.orderId ?? undefined) : [],
    db.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, id)),
    db
      .select()
      .from(paymentInstructions)
      .where(sql`${paymentInstructions.paymentIds} @> array[${id}]::bigint[]`)
      .orderBy(asc(paymentInstructions.id)),
    db.select().from(paymentLeaves).where(eq(paymentLeaves.paymentId, id)).orderBy(asc(paymentLeaves.id)),
    db.select().from(paymentRecalls).where(eq(paymentRecalls.paymentId, id)).orderBy(asc(paymentRecalls.id)),
    db.select().from(refunds).where(eq(refunds.paymentId, id)),
    db.select().from(refunds).where(eq(refunds.returnedBy, id)),
    db.select().from(payments).where(sql`${payments.counterpartId} = ${id} or ${payments.id} = ${payment.counterpartId}`)
  ])
  if (!apart) return undefined
  const isWaiting = waiting.some((one) => one.id === id)
  return { ...apart, isWaiting, decision, instructions, leaves, recalls, refund, returned, related }
}

/** The orders that a payment names or pays; of a refund that came back, those of the payment that it was for. */
export async function ordersOfPayment(db: Executor, id: bigint): Promise<string[]> {
  const answer = await db.execute(sql`
    select distinct o as id from payments p
    left join refunds r on r.returned_by = p.id
    left join payments f on f.id = r.payment_id
    left join payment_decisions d on d.payment_id in (p.id, f.id)
    cross join lateral unnest(array[p.order_id, f.order_id, d.order_id]) o
    where p.id = ${id} and o is not null`)
  return rowsOf<{ id: string }>(answer).map(({ id: orderId }) => orderId)
}

const LISTED = 100

/** Every entry, the newest first; `before`: only those before this one. */
export function paymentEntries(db: Executor, before: bigint | undefined): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(before === undefined ? undefined : lt(payments.id, before))
    .orderBy(desc(payments.id))
    .limit(LISTED)
}

/** Other payments that wait and name the same order, or come from the same account: together they may make up a price. */
export async function waitingBeside(db: Executor, { id, orderId, payerIban }: Payment): Promise<Payment[]> {
  const waiting = await undecidedPayments(db)
  return waiting.filter(
    (one) =>
      one.id !== id &&
      one.currency === 'EUR' &&
      ((orderId !== null && one.orderId === orderId) || (payerIban !== '' && one.payerIban === payerIban))
  )
}

/** How many payments wait for a decision, of how many euro cents, since when. */
export async function suspenseSum(db: Executor): Promise<{ count: number; eurCents: bigint; oldestAt: Date | null }> {
  const answer = await db.execute(sql`
    select count(*)::int as count, coalesce(sum(p.amount_cents) filter (where p.currency = 'EUR'), 0)::text as cents, min(p.received_at) as oldest
    from payments p
    left join payment_decisions d on d.payment_id = p.id
    left join payments b on b.counterpart_id = p.id
    where p.direction = 'credit' and p.outcome <> 'matched' and d.payment_id is null and p.counterpart_id is null and b.id is null`)
  const [row] = rowsOf<{ count: number; cents: string; oldest: string | Date | null }>(answer)
  return { count: row?.count ?? 0, eurCents: BigInt(row?.cents ?? 0), oldestAt: row?.oldest ? new Date(row.oldest) : null }
}
