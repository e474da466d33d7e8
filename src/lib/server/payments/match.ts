/** Decides what a bank entry means: reads the database and changes nothing. */
import { and, eq, gt, gte, inArray, isNull, notExists } from 'drizzle-orm'
import { alias, union } from 'drizzle-orm/pg-core'
import { isOpenOrder } from '#lib/domain/orders/order.ts'
import { findReference } from '#lib/domain/orders/reference.ts'
import { factsOf } from '#lib/domain/payments/facts.ts'
import { matchPayment, type UnmatchedReason } from '#lib/domain/payments/match.ts'
import { findSentBack, type Incoming, type SentBack, sentBackAs, tieBetween } from '#lib/domain/payments/settle.ts'
import { isVerifiedCustomer } from '../identity/index.ts'
import { findOrder, isAsSold, type OrderRow, orders } from '../orders/index.ts'
import { hashToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'
import type { BankEntry } from './port.ts'
import { paymentDecisions, payments, refundFiles, refunds } from './schema.ts'

export type Payment = typeof payments.$inferSelect
/** The other entry about the same money: of a debit the payment that it sends back, of a payment the debit that was read before it. */
type Counterpart = { payment: Payment; orderIds: string[]; surplusCents: bigint }
export type Refund = typeof refunds.$inferSelect
export type Verdict =
  | { outcome: 'known'; payment: Payment }
  | { outcome: 'matched'; order: OrderRow; counterpart: Counterpart | undefined }
  | { outcome: SentBack; order: OrderRow | undefined; counterpart: Counterpart | undefined }
  | {
      outcome: UnmatchedReason
      order: OrderRow | undefined
      counterpart: Counterpart | undefined
      entryId?: string
      /** The refund of ours that the bank sends back by this entry. */
      returns?: Refund
    }

/** `lock`: locks the order's row until the transaction ends. */
export async function matchEntry(db: Executor, entry: BankEntry, { lock = false } = {}): Promise<Verdict> {
  const alike = await findAlike(db, entry)
  if (alike) return { outcome: 'known', payment: alike }
  const known = (await findPayment(db, entry.entryId)) ?? (await findLegacy(db, entry))
  if (known && isSame(known, entry) && (known.isLegacy || !entry.among)) return { outcome: 'known', payment: known }
  if (known) return changed(db, entry)
  const ours = await findRefund(db, entry)
  // It may still carry the reference of the order: money that comes back pays none.
  if (ours && entry.direction === 'credit')
    return {
      outcome: 'unknown_reference',
      order: undefined,
      counterpart: undefined,
      ...((await isReturn(db, ours, entry)) && { returns: ours })
    }
  const reference = findReference(entry.remittance)
  const order = reference ? await findOrder(db, reference, { lock }) : undefined
  if (entry.direction === 'debit') return matchDebit(db, entry, { named: order, ours, lock })
  // An order whose row was changed pays nobody: its payment waits for an operator, who sees that it names no order as it was sold.
  if (order && isOpenOrder(order.status) && !(await isAsSold(db, order)))
    return { outcome: 'unknown_reference', order: undefined, counterpart: undefined }
  const isVerified = order !== undefined && (await isVerifiedCustomer(db, order.userId))
  const outcome = matchPayment(entry, order && { ...order, isVerified })
  const counterpart = await findEarlierDebit(db, entry, order?.id)
  if (outcome === 'matched' && order) return { outcome, order, counterpart }
  return { outcome: outcome as UnmatchedReason, order, counterpart }
}

type Debit = { named: OrderRow | undefined; ours: Refund | undefined; lock: boolean }

/**
 * A debit sends back one payment: the one that the bank names, or the one that fits. If a debit names an order but fits no payment,
 * the order's payment counts as taken back, so that withdrawals are held until an operator has reviewed the case.
 */
async function matchDebit(db: Executor, entry: BankEntry, { named, ours, lock }: Debit): Promise<Verdict> {
  const original = entry.takesBack ? await findPayment(db, entry.takesBack) : undefined
  const out = { ...entry, orderId: named?.id }
  const payments = await incomingPayments(db, entry)
  const byName = ours && itself(payments, { id: ours.paymentId }, out)
  // A second one of the same name, or of another amount, sends back no other payment: a person looks at it.
  if (ours && byName?.as !== 'refund') return { outcome: 'debit', order: undefined, counterpart: undefined }
  const found = byName ?? (original ? itself(payments, original, out) : findSentBack(payments, out))
  const findById = async (id: string | undefined) => (id === named?.id ? named : id && findOrder(db, id, { lock })) || undefined
  if (found) {
    const { as, payment } = found
    const order = as === 'returned' ? await findById(payment.paidOrderId) : (named ?? (await findById(payment.orderIds[0])))
    return { outcome: as, order, counterpart: payment }
  }
  const order = (original?.orderId && (await findById(original.orderId))) || named
  if (!order) return { outcome: 'debit', order, counterpart: undefined }
  const ofOrder = payments.filter(
    ({ orderIds, amountCents, state }) => orderIds.includes(order.id) && amountCents === entry.amountCents && state !== 'refunded'
  )
  const isExplained = ofOrder.length > 0 && ofOrder.every(({ state }) => state === 'waiting')
  return { outcome: isExplained ? 'debit' : 'returned', order, counterpart: undefined }
}

/** The refund of ours that the entry names. */
async function findRefund(db: Executor, { endToEndId }: BankEntry): Promise<Refund | undefined> {
  if (endToEndId === undefined) return undefined
  const [refund] = await db.select().from(refunds).where(eq(refunds.endToEndId, endToEndId))
  return refund
}

/** True if this incoming entry is plausibly our refund that the bank sends back: it was in a file, and all of it but a fee comes back. */
async function isReturn(db: Executor, { fileId, returnedBy, amountCents }: Refund, entry: BankEntry): Promise<boolean> {
  const fee = amountCents - entry.amountCents
  const isPlausible =
    fileId !== null &&
    returnedBy === null &&
    entry.currency === 'EUR' &&
    fee >= 0n &&
    fee <= MOST_FEE_CENTS &&
    fee * 2n <= amountCents
  if (!isPlausible || fileId === null) return false
  const [file] = await db.select().from(refundFiles).where(eq(refundFiles.id, fileId))
  return file !== undefined && file.downloadedAt !== null && file.cancelledAt === null
}
/** What a bank takes for sending a transfer back. */
const MOST_FEE_CENTS = 2500n

type KnownPayment = Incoming & Counterpart & { paidOrderId: string | undefined }

function itself(payments: KnownPayment[], original: Pick<Payment, 'id'>, out: Parameters<typeof sentBackAs>[1]) {
  const payment = payments.find(({ id }) => id === original.id)
  const as = payment && sentBackAs(payment, out)
  return payment && as && { payment, as }
}

/** The incoming payments that a debit of this amount may send back, each with its state. */
async function incomingPayments(db: Executor, { amountCents, currency }: BankEntry): Promise<KnownPayment[]> {
  // Two questions: one condition with OR would read all payments of at least this amount.
  const ofAmount = db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.currency, currency), eq(payments.amountCents, amountCents)))
  // Of a larger payment, only the surplus over its order can be sent back.
  const assigned = db
    .select({ id: paymentDecisions.paymentId })
    .from(paymentDecisions)
    .innerJoin(payments, eq(payments.id, paymentDecisions.paymentId))
    .where(and(eq(paymentDecisions.decision, 'assigned'), eq(payments.currency, currency), gt(payments.amountCents, amountCents)))
  const ids = union(ofAmount, assigned)
  const rows = await db
    .select({ payment: payments, decision: paymentDecisions, order: orders, file: refundFiles })
    .from(payments)
    .leftJoin(paymentDecisions, eq(paymentDecisions.paymentId, payments.id))
    .leftJoin(orders, eq(orders.id, paymentDecisions.orderId))
    .leftJoin(refunds, eq(refunds.paymentId, payments.id))
    .leftJoin(refundFiles, eq(refundFiles.id, refunds.fileId))
    .where(and(eq(payments.direction, 'credit'), inArray(payments.id, ids)))
  const found = rows.map(({ payment }) => payment.id)
  const debits = found.length > 0 ? await db.select().from(payments).where(inArray(payments.counterpartId, found)) : []
  return rows.map(({ payment, decision, order, file }) => {
    const gone = debits.filter(({ counterpartId }) => counterpartId === payment.id)
    const isAssigned = decision?.decision === 'assigned'
    const isPaid = payment.outcome === 'matched' || isAssigned
    const surplus = isAssigned && order ? payment.amountCents - order.euroCentsToPay : 0n
    const isRefundSent = gone.some(({ outcome }) => outcome === 'refund')
    return {
      ...payment,
      payment,
      orderIds: [...new Set([payment.orderId, decision?.orderId])].filter((id) => typeof id === 'string'),
      paidOrderId: isPaid ? (decision?.orderId ?? payment.orderId ?? undefined) : undefined,
      state: isPaid ? 'paid' : decision ? 'refunded' : 'waiting',
      surplusCents: surplus > 0n && !isRefundSent ? surplus : 0n,
      isSentBack: payment.counterpartId !== null || gone.some(({ outcome }) => outcome !== 'refund'),
      isRefundSent,
      isInFile: file !== null && file.cancelledAt === null
    }
  })
}

/** The debit that sent a payment back before the payment itself was read. */
async function findEarlierDebit(db: Executor, entry: BankEntry, orderId: string | undefined): Promise<Counterpart | undefined> {
  const debits = await db
    .select()
    .from(payments)
    .where(
      and(
        isUnexplainedDebit(db),
        eq(payments.amountCents, entry.amountCents),
        eq(payments.currency, entry.currency),
        gte(payments.bookedOn, entry.bookedOn)
      )
    )
    .orderBy(payments.id)
  const own = { orderIds: orderId ? [orderId] : [], payerIban: entry.payerIban }
  const tieOf = (debit: Payment) => tieBetween(own, { orderId: debit.orderId ?? undefined, payerIban: debit.payerIban })
  const payment = debits.find((debit) => tieOf(debit) === 'order') ?? debits.find((debit) => tieOf(debit) === 'account')
  return payment && { payment, orderIds: [], surplusCents: 0n }
}

/** A debit for which no payment was read that it sends back. */
function isUnexplainedDebit(db: Executor) {
  const credit = alias(payments, 'credit')
  return and(
    inArray(payments.outcome, ['debit', 'returned']),
    isNull(payments.counterpartId),
    notExists(db.select({ id: credit.id }).from(credit).where(eq(credit.counterpartId, payments.id)))
  )
}

/** True if the bank took back a payment of the order that has not been read, or was read with another amount. */
export async function hasUnexplainedReturn(db: Executor, orderId: string): Promise<boolean> {
  const [found] = await db
    .select({ id: payments.id })
    .from(payments)
    .where(and(isUnexplainedDebit(db), eq(payments.outcome, 'returned'), eq(payments.orderId, orderId)))
    .limit(1)
  return found !== undefined
}

/**
 * The payment of an entry that shares its reference with others. Its place does not count, because the bank may deliver them in another order: the
 * first entry with certain facts is the first payment with these facts, the second one the second. Undefined if that was not received yet.
 */
async function findAlike(db: Executor, entry: BankEntry): Promise<Payment | undefined> {
  if (!entry.among) return undefined
  const { ids, alike } = entry.among
  const named = await db
    .select()
    .from(payments)
    .where(
      and(
        anyOf(payments.bankEntryId, [...ids, ...ids.map((id) => changedId(id, entry))]),
        eq(payments.amountCents, entry.amountCents)
      )
    )
    .orderBy(payments.id)
  return named.filter((payment) => isSame(payment, entry))[alike]
}

const changedId = (id: string, { amountCents, currency, bookedOn, remittance }: BankEntry) =>
  `${id}#${hashToken([amountCents, currency, bookedOn, remittance].join('\n')).slice(0, 10)}`

/** A known bank reference with different facts. Both entries are kept: the second under an id derived from its facts. */
async function changed(db: Executor, entry: BankEntry): Promise<Verdict> {
  const entryId = changedId(entry.entryId, entry)
  const known = await findPayment(db, entryId)
  return known
    ? { outcome: 'known', payment: known }
    : { outcome: 'entry_changed', order: undefined, counterpart: undefined, entryId }
}

/**
 * Version 0.1.0 stored the day on which it received an entry instead of the booking day, and another form of its text. An entry
 * booked after that day is a different one: references such as NONREF, and numbers that restart, occur again.
 */
function isSame(payment: Payment, entry: BankEntry): boolean {
  const { direction, amountCents, currency } = payment
  if (direction !== entry.direction || amountCents !== entry.amountCents || currency !== entry.currency) return false
  return (payment.isLegacy && entry.bookedOn <= payment.bookedOn) || factsOf(payment) === factsOf(entry)
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
  // If facts differ, it is not a changed entry: version 0.1.0 used words such as NONREF as references.
  return payment && isSame(payment, entry) ? payment : undefined
}
