/** What is decided about payments that fit no order: they pay an order, or go back. */
import { and, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { assignable, type NotAssignable } from '#lib/domain/payments/match.ts'
import type { RecallAnswer } from '#lib/domain/payments/recall.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { users } from '../access/index.ts'
import { isVerifiedCustomer } from '../identity/index.ts'
import { house, post, type Transfer } from '../ledger/index.ts'
import { findOrder, isAsSold, type OrderRow, orderLink, type PriceOfDay, priceOfDay, recordArrival } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { payersRefused } from '../screening/index.ts'
import { hasUnexplainedReturn, type Payment } from './match.ts'
import { holdFor, oneAtATime, type PaymentPorts } from './receive.ts'
import { type Creditor, creditorOf, keepRefund, orderOf } from './refunds.ts'
import { paymentDecisions, paymentInstructions, paymentRecalls, payments, refunds } from './schema.ts'
import { refreshUnfit, undecidedPayments } from './unfit.ts'

export type DecisionRefusal =
  | 'payment_not_found'
  | 'already_decided'
  | 'sent_back'
  | 'recalled'
  | 'recall_accepted'
  | 'account_needed'
  | 'same_twice'
  | 'nothing_missing'
  | 'not_their_payment'
  | 'not_possible'
  | 'order_not_found'
  | 'order_changed'
  | 'too_much_together'
  | 'second_person'
  | NotAssignable

/** A decision that the rules do not allow; nothing was booked. */
export class DecisionRefused extends Error {
  readonly reason: DecisionRefusal
  constructor(reason: DecisionRefusal) {
    super(reason)
    this.name = 'DecisionRefused'
    this.reason = reason
  }
}

type Decided = { actor: Actor; why: string }
type Assignment = Decided & { paymentIds: bigint[]; orderId: string }
type RefundDecision = Decided & { paymentId: bigint; creditor?: Creditor | undefined }

/**
 * Assigns one payment, or several that make up the price together, to the order, and completes the order from suspense, at the price of the
 * day on which the last of them was booked. The surplus of a single one is owed back to the payer. Throws DecisionRefused, UnavailableError.
 */
export async function assignPayments(context: Context, ports: PaymentPorts, assignment: Assignment): Promise<void> {
  const price = await priceFor(context, ports, assignment.paymentIds)
  await transact(context, async (work) => {
    await oneAtATime(work)
    await assignWithin(context, work, ports, { ...assignment, price })
  })
}

/** The price at which these payments complete an order; asked for before the transaction, so that no rows are locked during the request. */
export async function priceFor(context: Context, ports: PaymentPorts, paymentIds: bigint[]): Promise<PriceOfDay> {
  const rows = await context.db.select().from(payments).where(inArray(payments.id, paymentIds)).orderBy(desc(payments.bookedOn))
  if (!rows[0]) throw new DecisionRefused('payment_not_found')
  return priceOfDay(context, ports.rates, rows[0].bookedOn)
}

/** The same in the caller's transaction, which has called `oneAtATime`. */
export async function assignWithin(
  context: Context,
  work: Work,
  ports: PaymentPorts,
  { paymentIds, orderId, price, ...decided }: Assignment & { price: PriceOfDay }
): Promise<void> {
  const found = await requireDistinct(work, paymentIds)
  const order = await findOrder(work.tx, orderId, { lock: true })
  if (!order) throw new DecisionRefused('order_not_found')
  await requireAssignable(work, found, order)
  for (const payment of found) await keepDecision(work, payment, 'assigned', orderId, decided)
  await completeWith(context, work, ports, { found, order, price, actor: decided.actor })
  const [first] = found
  if (first && (await hasUnexplainedReturn(work.tx, orderId))) await holdFor(context, work, ports, order, first.bankEntryId)
  for (const payment of found) await refreshOrders(work, payment, orderId)
}

/** The payments of an assignment, none of them twice. Throws DecisionRefused. */
export async function requireDistinct(work: Work, paymentIds: bigint[]): Promise<Payment[]> {
  if (new Set(paymentIds).size !== paymentIds.length) throw new DecisionRefused('same_twice')
  const found: Payment[] = []
  for (const id of paymentIds) {
    found.push(await requireUndecided(work, id))
    // We have told the payer's bank that it gets the money.
    if (await hasRecall(work.tx, id, 'accepted')) throw new DecisionRefused('recall_accepted')
  }
  return found
}

async function hasRecall(tx: Executor, paymentId: bigint, answer: RecallAnswer | null): Promise<boolean> {
  const is = answer === null ? isNull(paymentRecalls.answer) : eq(paymentRecalls.answer, answer)
  const [found] = await tx
    .select({ id: paymentRecalls.id })
    .from(paymentRecalls)
    // Of a refund that came back: that of its first payment, too.
    .where(
      and(
        or(
          eq(paymentRecalls.paymentId, paymentId),
          inArray(
            paymentRecalls.paymentId,
            tx.select({ id: refunds.paymentId }).from(refunds).where(eq(refunds.returnedBy, paymentId))
          )
        ),
        is
      )
    )
    .limit(1)
  return found !== undefined
}

/** A refund goes to the account that it came from; to another one only where no recall was accepted. Throws DecisionRefused. */
export async function requireRefundable(work: Work, id: bigint, creditor: Creditor | undefined): Promise<Payment> {
  const payment = await requireUndecided(work, id)
  // Money of somebody who must not be served goes nowhere.
  const people = [...payersOf([payment]), ...(creditor ? [creditor] : [])]
  const names = await payersRefused(work.tx, people, { euroCents: payment.amountCents, now: work.now })
  if (names) throw new DecisionRefused(names)
  const isPromised = await hasRecall(work.tx, id, 'accepted')
  if (creditor && isPromised) throw new DecisionRefused('recall_accepted')
  // What came back from the payer's bank came from there: the account that it was for did not take it.
  const [returned] = await work.tx.select({ id: refunds.id }).from(refunds).where(eq(refunds.returnedBy, id))
  if (returned && !creditor && !isPromised) throw new DecisionRefused('account_needed')
  return payment
}

/** Throws DecisionRefused if these payments cannot pay the order. */
export async function requireAssignable(
  { tx, now }: Pick<Work, 'now'> & { tx: Executor },
  found: Payment[],
  order: OrderRow
): Promise<void> {
  const currencies = new Set(found.map(({ currency }) => currency))
  const currency = currencies.size === 1 ? ([...currencies][0] ?? '') : ''
  const amountCents = sumOf(found)
  const isVerified = await isVerifiedCustomer(tx, order.userId)
  const refusal = assignable({ amountCents, currency }, { ...order, isVerified })
  if (refusal) throw new DecisionRefused(refusal)
  // Whose surplus would it be?
  if (found.length > 1 && amountCents > order.euroCentsToPay) throw new DecisionRefused('too_much_together')
  if (!(await isAsSold(tx, order))) throw new DecisionRefused('order_changed')
  const names = await payersRefused(tx, payersOf(found), { userId: order.userId, euroCents: amountCents, now })
  if (names) throw new DecisionRefused(names)
}

const payersOf = (found: Payment[]) => found.map(({ payerName, payerIban }) => ({ name: payerName, iban: payerIban }))

const sumOf = (found: Payment[]) => found.reduce((sum, { amountCents }) => sum + amountCents, 0n)

type Completion = { found: Payment[]; order: OrderRow; price: PriceOfDay; actor: Actor }

async function completeWith(context: Context, work: Work, ports: PaymentPorts, completion: Completion): Promise<void> {
  const { found, order, price, actor } = completion
  const [payment] = found.toSorted((one, other) => other.bookedOn.localeCompare(one.bookedOn))
  if (!payment) return
  const amountCents = sumOf(found)
  const surplus = amountCents - order.euroCentsToPay
  const back: Transfer = { source: house('suspense'), destination: house('refunds'), currency: payment.currency, amount: surplus }
  await recordArrival(context, work, {
    order,
    bookedOn: payment.bookedOn,
    price,
    actor,
    onOrderCompleted: ports.onOrderCompleted,
    paid: { from: 'suspense', euroCents: surplus > 0n ? order.euroCentsToPay : amountCents },
    ...(surplus > 0n && { also: [back] })
  })
  if (surplus > 0n) await keepRefund(work, payment, surplus, creditorOf(payment))
}

/** Refunds the payment: it is owed to the payer until the bank shows the transfer. Throws DecisionRefused. */
export async function refundPayment(context: Context, decision: RefundDecision): Promise<Payment> {
  return transact(context, async (work) => {
    await oneAtATime(work)
    return refundWithin(context, work, decision)
  })
}

/** The same in the caller's transaction, which has called `oneAtATime`. */
export async function refundWithin(
  context: Context,
  work: Work,
  { paymentId, creditor, ...decided }: RefundDecision
): Promise<Payment> {
  const payment = await requireRefundable(work, paymentId, creditor)
  await keepDecision(work, payment, 'refunded', payment.orderId, decided)
  const { currency, amountCents: amount } = payment
  await post(work.tx, {
    reason: 'payment_refunded',
    source: { type: 'payment', id: payment.bankEntryId },
    reference: `refund:${payment.id}`,
    actor: decided.actor,
    transfers: [{ source: house('suspense'), destination: house('refunds'), currency, amount }],
    at: work.now
  })
  // A refund that came back names the bank that sent it: without an account it goes back by hand.
  const [returned] = await work.tx.select({ id: refunds.id }).from(refunds).where(eq(refunds.returnedBy, payment.id))
  if (creditor || !returned) await keepRefund(work, payment, amount, creditor ?? creditorOf(payment))
  await refreshOrders(work, payment)
  await tellRefunded(context, work, payment, { why: decided.why, account: creditor ? 'named' : 'its own' })
  return payment
}

async function findApart(db: Executor, id: bigint): Promise<Payment> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  if (payment?.direction !== 'credit' || payment.outcome === 'matched') throw new DecisionRefused('payment_not_found')
  return payment
}

/** The payment, if nothing is decided about it yet; the caller has called `oneAtATime`, so that of two at once the second is refused. */
export async function requireUndecided({ tx }: Work, id: bigint): Promise<Payment> {
  const payment = await findApart(tx, id)
  const [decided] = await tx.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, id))
  if (decided) throw new DecisionRefused('already_decided')
  const waiting = await undecidedPayments(tx, payment.orderId ?? undefined)
  if (!waiting.some(({ id: one }) => one === payment.id)) throw new DecisionRefused('sent_back')
  if (await hasRecall(tx, id, null)) throw new DecisionRefused('recalled')
  return payment
}

/** Throws `already_decided` if an instruction about one of them waits to be carried out. */
export async function requireUninstructed({ tx }: Work, ids: bigint[]): Promise<void> {
  for (const id of ids) {
    const [waiting] = await tx
      .select({ id: paymentInstructions.id })
      .from(paymentInstructions)
      .where(sql`${paymentInstructions.state} = 'waiting' and ${paymentInstructions.paymentIds} @> array[${id}]::bigint[]`)
      .limit(1)
    if (waiting) throw new DecisionRefused('already_decided')
  }
}

async function keepDecision(
  { tx, now }: Work,
  payment: Payment,
  decision: 'assigned' | 'refunded',
  orderId: string | null,
  { actor, why }: Decided
): Promise<void> {
  await tx
    .insert(paymentDecisions)
    .values({ paymentId: payment.id, decision, orderId, actor: actorText(actor), why, decidedAt: now })
}

async function refreshOrders(work: Work, payment: Payment, orderId?: string): Promise<void> {
  for (const id of new Set([payment.orderId, orderId])) if (id) await refreshUnfit(work, id)
}

type Told = { why: string; account: 'its own' | 'named' }

async function tellRefunded(context: Context, work: Work, payment: Payment, { why, account }: Told): Promise<void> {
  const order = await orderOf(work.tx, payment)
  if (!order) return
  const [customer] = await work.tx.select().from(users).where(eq(users.id, order.userId))
  const received = formatReceived(payment)
  await work.enqueue(
    mailTo(customer, 'paymentRefunded', { orderId: order.id, received, why, account, link: orderLink(context, order.id) })
  )
}
