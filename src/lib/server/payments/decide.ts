/** What an operator can decide about a payment that fits no order: assign it to an order, or refund it. */
import { eq } from 'drizzle-orm'
import { assignable, type NotAssignable } from '#lib/domain/payments/match.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { users } from '../access/index.ts'
import { isVerifiedCustomer } from '../identity/index.ts'
import { house, post, type Transfer } from '../ledger/index.ts'
import { findOrder, type OrderRow, orderLink, type PriceOfDay, priceOfDay, recordArrival } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { hasUnexplainedReturn, type Payment } from './match.ts'
import { holdFor, oneAtATime, type PaymentPorts } from './receive.ts'
import { paymentDecisions, payments } from './schema.ts'
import { refreshUnfit, undecidedPayments } from './unfit.ts'

export type DecisionRefusal = 'payment_not_found' | 'already_decided' | 'sent_back' | 'order_not_found' | NotAssignable

/** A decision that the rules do not allow; nothing was booked. */
export class DecisionRefused extends Error {
  readonly reason: DecisionRefusal
  constructor(reason: DecisionRefusal) {
    super(reason)
    this.name = 'DecisionRefused'
    this.reason = reason
  }
}

type Decision = { paymentId: bigint; actor: Actor; why: string }

/**
 * Assigns the payment to the order and completes the order from suspense, at the price of the booking day. A surplus is owed back
 * to the payer. Throws DecisionRefused, UnavailableError.
 */
export async function assignPayment(
  context: Context,
  ports: PaymentPorts,
  { orderId, ...decision }: Decision & { orderId: string }
): Promise<void> {
  const known = await findPayment(context, decision.paymentId)
  // Asked before the transaction, so that no rows are locked during the request.
  const price = await priceOfDay(context, ports.rates, known.bookedOn)
  await transact(context, async (work) => {
    const payment = await lockPayment(work, decision.paymentId)
    const order = await findOrder(work.tx, orderId, { lock: true })
    if (!order) throw new DecisionRefused('order_not_found')
    const isVerified = await isVerifiedCustomer(work.tx, order.userId)
    const refusal = assignable(payment, { ...order, isVerified })
    if (refusal) throw new DecisionRefused(refusal)
    await keepDecision(work, payment, 'assigned', orderId, decision)
    await completeWith(context, work, ports, { payment, order, price, actor: decision.actor })
    if (await hasUnexplainedReturn(work.tx, orderId)) await holdFor(context, work, ports, order, payment.bankEntryId)
    await refreshOrders(work, payment, orderId)
  })
}

type Completion = { payment: Payment; order: OrderRow; price: PriceOfDay; actor: Actor }

async function completeWith(context: Context, work: Work, ports: PaymentPorts, completion: Completion): Promise<void> {
  const { payment, order, price, actor } = completion
  const surplus = payment.amountCents - order.euroCentsToPay
  const back: Transfer = { source: house('suspense'), destination: house('refunds'), currency: payment.currency, amount: surplus }
  await recordArrival(context, work, {
    order,
    bookedOn: payment.bookedOn,
    price,
    actor,
    onOrderCompleted: ports.onOrderCompleted,
    paid: { from: 'suspense', euroCents: surplus > 0n ? order.euroCentsToPay : payment.amountCents },
    ...(surplus > 0n && { also: [back] })
  })
}

/** Refunds the payment: it is owed to the payer until the bank shows the transfer that the operator makes. Throws DecisionRefused. */
export async function refundPayment(context: Context, decision: Decision): Promise<Payment> {
  return transact(context, async (work) => {
    const payment = await lockPayment(work, decision.paymentId)
    await keepDecision(work, payment, 'refunded', payment.orderId, decision)
    const { currency, amountCents: amount } = payment
    await post(work.tx, {
      reason: 'payment_refunded',
      source: { type: 'payment', id: payment.bankEntryId },
      reference: `refund:${payment.id}`,
      actor: decision.actor,
      transfers: [{ source: house('suspense'), destination: house('refunds'), currency, amount }],
      at: work.now
    })
    await refreshOrders(work, payment)
    await tellRefunded(context, work, payment, decision.why)
    return payment
  })
}

async function findPayment({ db }: { db: Executor }, id: bigint): Promise<Payment> {
  const [payment] = await db.select().from(payments).where(eq(payments.id, id))
  if (payment?.direction !== 'credit' || payment.outcome === 'matched') throw new DecisionRefused('payment_not_found')
  return payment
}

/** Returns the payment if it is not decided yet. Of two operators at once, the second is refused. */
async function lockPayment(work: Work, id: bigint): Promise<Payment> {
  await oneAtATime(work)
  const { tx } = work
  const payment = await findPayment({ db: tx }, id)
  const [decided] = await tx.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, id))
  if (decided) throw new DecisionRefused('already_decided')
  const waiting = await undecidedPayments(tx, payment.orderId ?? undefined)
  if (!waiting.some(({ id: one }) => one === payment.id)) throw new DecisionRefused('sent_back')
  return payment
}

async function keepDecision(
  { tx, now }: Work,
  payment: Payment,
  decision: 'assigned' | 'refunded',
  orderId: string | null,
  { actor, why }: Decision
): Promise<void> {
  await tx
    .insert(paymentDecisions)
    .values({ paymentId: payment.id, decision, orderId, actor: actorText(actor), why, decidedAt: now })
}

async function refreshOrders(work: Work, payment: Payment, orderId?: string): Promise<void> {
  for (const id of new Set([payment.orderId, orderId])) if (id) await refreshUnfit(work, id)
}

async function tellRefunded(context: Context, work: Work, payment: Payment, why: string): Promise<void> {
  const order = payment.orderId ? await findOrder(work.tx, payment.orderId, { lock: false }) : undefined
  if (!order) return
  const [customer] = await work.tx.select().from(users).where(eq(users.id, order.userId))
  const received = formatReceived(payment)
  await work.enqueue(
    mailTo(customer, 'paymentRefunded', { orderId: order.id, received, why, link: orderLink(context, order.id) })
  )
}
