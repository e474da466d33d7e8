/** Decides what a bank entry means for us: reads the database and changes nothing. */
import { and, count, eq, gte, inArray, or } from 'drizzle-orm'
import { findReference } from '#lib/domain/orders/reference.ts'
import { judgePayment, type UnmatchedReason } from '#lib/domain/payments/judge.ts'
import { isVerifiedCustomer } from '../identity/index.ts'
import { findOrder, type OrderRow, orders } from '../orders/index.ts'
import { hashToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import type { BankEntry } from './port.ts'
import { paymentDecisions, payments } from './schema.ts'

export type Payment = typeof payments.$inferSelect
export type Verdict =
  | { outcome: 'known'; payment: Payment }
  | { outcome: 'matched'; order: OrderRow }
  | { outcome: 'returned'; order: OrderRow }
  | { outcome: 'debit'; order?: OrderRow }
  | { outcome: 'refund'; order?: OrderRow }
  | { outcome: UnmatchedReason; order: OrderRow | undefined; entryId?: string }

/** `lock`: keeps the order as it is until the transaction ends. */
export async function judgeEntry(db: Executor, entry: BankEntry, { lock = false } = {}): Promise<Verdict> {
  const known = (await findPayment(db, entry.entryId)) ?? (await findLegacy(db, entry))
  if (known && isSame(known, entry)) return { outcome: 'known', payment: known }
  if (known) return changed(db, entry)
  const reference = findReference(entry.remittance)
  const order = reference ? await findOrder(db, reference, { lock }) : undefined
  if (entry.direction === 'debit') return judgeDebit(db, entry, order, lock)
  const isVerified = order !== undefined && (await isVerifiedCustomer(db, order.userId))
  const outcome = judgePayment(entry, order && { ...order, isVerified })
  return outcome === 'matched' && order ? { outcome, order } : { outcome: outcome as UnmatchedReason, order }
}

/**
 * A debit that belongs to an order takes its payment back, unless it returns money that came for the order and waits in
 * suspense. In doubt it is taken back, because withdrawals are then held until somebody has looked.
 */
async function judgeDebit(db: Executor, entry: BankEntry, named: OrderRow | undefined, lock: boolean): Promise<Verdict> {
  const original = entry.takesBack ? await findPayment(db, entry.takesBack) : undefined
  // What the bank takes back by itself is no transfer of ours.
  if (!original && (await hasOpenRefund(db, entry, named?.id))) return { outcome: 'refund', order: named }
  const assignedTo = original && (await assignedOrderOf(db, original))
  const orderId = assignedTo ?? original?.orderId
  const order = orderId ? await findOrder(db, orderId, { lock }) : named
  if (!order) return { outcome: 'debit' }
  const ofOrder = await db
    .select({ direction: payments.direction, outcome: payments.outcome, decision: paymentDecisions.decision })
    .from(payments)
    .leftJoin(paymentDecisions, eq(paymentDecisions.paymentId, payments.id))
    .where(
      and(
        or(eq(payments.orderId, order.id), eq(paymentDecisions.orderId, order.id)),
        eq(payments.amountCents, entry.amountCents),
        eq(payments.currency, entry.currency)
      )
    )
  const hasPaid = ({ outcome, decision }: (typeof ofOrder)[number]) => outcome === 'matched' || decision === 'assigned'
  const credits = ofOrder.filter(({ direction, decision }) => direction === 'credit' && decision !== 'refunded')
  if (credits.length === 0 || assignedTo || original?.outcome === 'matched') return { outcome: 'returned', order }
  const waiting = credits.filter((credit) => !hasPaid(credit)).length
  const gone = ofOrder.filter(({ direction, outcome }) => direction === 'debit' && outcome !== 'refund').length
  return credits.some(hasPaid) && waiting <= gone ? { outcome: 'returned', order } : { outcome: 'debit', order }
}

/** The order that an operator assigned this payment to. */
async function assignedOrderOf(db: Executor, { id }: Payment): Promise<string | undefined> {
  const [decided] = await db.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, id))
  return (decided?.decision === 'assigned' && decided.orderId) || undefined
}

/**
 * Whether a refund of this amount to this payer, or for this order, was decided and has not left the bank yet. The surplus of
 * an assigned payment is a refund too.
 */
async function hasOpenRefund(db: Executor, { amountCents, currency, payerIban }: BankEntry, orderId?: string): Promise<boolean> {
  const decided = await db
    .select({ payment: payments, decision: paymentDecisions, order: orders })
    .from(paymentDecisions)
    .innerJoin(payments, eq(payments.id, paymentDecisions.paymentId))
    .leftJoin(orders, eq(orders.id, paymentDecisions.orderId))
    .where(and(eq(payments.currency, currency), gte(payments.amountCents, amountCents)))
  const isOfPayer = (one: Sent) => belongTogether(one, { payerIban, orderId: orderId ?? null })
  const owed = decided.filter(({ payment, decision, order }) => {
    const kept = decision.decision === 'assigned' ? (order?.euroCentsToPay ?? 0n) : 0n
    return payment.amountCents - kept === amountCents && isOfPayer(payment)
  })
  const sent = await db
    .select({ payerIban: payments.payerIban, orderId: payments.orderId })
    .from(payments)
    .where(and(eq(payments.outcome, 'refund'), eq(payments.currency, currency), eq(payments.amountCents, amountCents)))
  return owed.length > sent.filter(isOfPayer).length
}

type Sent = { payerIban: string; orderId: string | null }

/** Whether two entries are about the same payment: by their orders where both name one, otherwise by the payer's account. */
export function belongTogether(one: Sent, other: Sent): boolean {
  if (one.orderId !== null && other.orderId !== null) return one.orderId === other.orderId
  return plainIban(one.payerIban) === plainIban(other.payerIban)
}

const plainIban = (iban: string) => iban.replace(/\s/g, '').toUpperCase()

/** Whether a payment of the order was taken back, perhaps before the payment itself was read. */
export async function wasTakenBack(db: Executor, orderId: string): Promise<boolean> {
  const [row] = await db
    .select({ found: count() })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.outcome, 'returned')))
  return (row?.found ?? 0) > 0
}

/** A known bank reference with different facts. Both entries are kept: the second under an id made from its facts. */
async function changed(db: Executor, entry: BankEntry): Promise<Verdict> {
  const entryId = `${entry.entryId}#${hashToken([entry.amountCents, entry.currency, entry.bookedOn, entry.remittance].join('\n')).slice(0, 10)}`
  const known = await findPayment(db, entryId)
  return known ? { outcome: 'known', payment: known } : { outcome: 'entry_changed', order: undefined, entryId }
}

/**
 * Version 0.1.0 kept the day on which it received an entry, not the booking day, and other words of its text. An entry
 * that was booked after that day is another one: references such as NONREF and numbers that restart come again.
 */
function isSame(payment: Payment, entry: BankEntry): boolean {
  if (payment.amountCents !== entry.amountCents || payment.currency !== entry.currency) return false
  return (
    (payment.isLegacy && entry.bookedOn <= payment.bookedOn) ||
    (payment.remittance === entry.remittance && payment.direction === entry.direction && payment.bookedOn === entry.bookedOn)
  )
}

async function findPayment(db: Executor, entryId: string): Promise<Payment | undefined> {
  const [payment] = await db.select().from(payments).where(eq(payments.bankEntryId, entryId))
  return payment
}

/** The same entry under the id that version 0.1.0 gave it. That version received incoming money only. */
async function findLegacy(db: Executor, entry: BankEntry): Promise<Payment | undefined> {
  const { direction, formerIds = [] } = entry
  if (direction === 'debit' || formerIds.length === 0) return undefined
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(inArray(payments.bankEntryId, formerIds), eq(payments.isLegacy, true)))
  // With other facts it is no changed entry: that version took a word such as NONREF for a reference.
  return payment && isSame(payment, entry) ? payment : undefined
}
