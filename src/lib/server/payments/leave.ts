/** Payments that are left for now, and recalls: records of staff that book nothing. */
import { and, eq, isNull } from 'drizzle-orm'
import { isOpenOrder } from '#lib/domain/orders/order.ts'
import { compareNames } from '#lib/domain/payments/names.ts'
import type { RecallAnswer, RecallReason } from '#lib/domain/payments/recall.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { users } from '../access/index.ts'
import { type OrderRow, orderLink } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { DecisionRefused, requireUndecided, requireUninstructed } from './decide.ts'
import { verifiedNameOf } from './instruct.ts'
import type { Payment } from './match.ts'
import { oneAtATime } from './receive.ts'
import { paymentDecisions, paymentLeaves, paymentRecalls, payments } from './schema.ts'

type Left = { paymentId: bigint; until: string; actor: Actor; why: string }

/** Leaves the payment until a day (yyyy-mm-dd). Throws DecisionRefused. */
export async function leavePayment(work: Work, { paymentId, until, actor, why }: Left): Promise<Payment> {
  await oneAtATime(work)
  await requireUninstructed(work, [paymentId])
  const payment = await requireUndecided(work, paymentId)
  await work.tx.insert(paymentLeaves).values({ paymentId, until, isTopUp: false, actor: actorText(actor), why, at: work.now })
  return payment
}

/** Asks the customer of the order for what is missing, and leaves the payment until a day. Throws DecisionRefused. */
export async function awaitTopUp(
  context: Context,
  work: Work,
  { paymentId, until, actor, why }: Left,
  order: OrderRow
): Promise<bigint> {
  await oneAtATime(work)
  await requireUninstructed(work, [paymentId])
  const payment = await requireUndecided(work, paymentId)
  const missing = order.euroCentsToPay - payment.amountCents
  if (payment.currency !== 'EUR') throw new DecisionRefused('wrong_currency')
  if (!isOpenOrder(order.status)) throw new DecisionRefused('order_not_open')
  if (missing <= 0n) throw new DecisionRefused('nothing_missing')
  // A mail goes to the customer of the order: it must be theirs.
  const isTheirs =
    payment.orderId === order.id ||
    (payment.orderId === null && compareNames(payment.payerName, await verifiedNameOf(work.tx, order.userId)) !== 'other')
  if (!isTheirs) throw new DecisionRefused('not_their_payment')
  await work.tx.insert(paymentLeaves).values({ paymentId, until, isTopUp: true, actor: actorText(actor), why, at: work.now })
  const [customer] = await work.tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(eq(users.id, order.userId))
  await work.enqueue(
    mailTo(customer, 'paymentTopUp', {
      orderId: order.id,
      received: formatReceived(payment),
      missing: formatReceived({ amountCents: missing, currency: 'EUR' }),
      until,
      link: orderLink(context, order.id)
    })
  )
  return missing
}

/** A payment of a completed order can be recalled, too. */
async function requireCredit(db: Executor, id: bigint): Promise<void> {
  const [payment] = await db.select({ direction: payments.direction }).from(payments).where(eq(payments.id, id))
  if (payment?.direction !== 'credit') throw new DecisionRefused('payment_not_found')
}

type Recalled = { paymentId: bigint; reason: RecallReason; bankCase: string; actor: Actor; why: string }

/** Records that the payer's bank asks for the payment. Throws DecisionRefused, and answers false if one is open already. */
export async function openRecall(work: Work, { paymentId, reason, bankCase, actor, why }: Recalled): Promise<boolean> {
  await oneAtATime(work)
  const { tx, now } = work
  await requireCredit(tx, paymentId)
  const opened = await tx
    .insert(paymentRecalls)
    .values({ paymentId, reason, bankCase, openedBy: actorText(actor), openedAt: now, openedWhy: why })
    .onConflictDoNothing()
    .returning({ id: paymentRecalls.id })
  return opened.length > 0
}

/** False if none is open. */
export async function answerRecall(
  work: Work,
  { paymentId, answer, actor, why }: { paymentId: bigint; answer: RecallAnswer; actor: Actor; why: string }
): Promise<boolean> {
  await oneAtATime(work)
  const { tx, now } = work
  if (answer === 'accepted') {
    // Its money is in an order, or went elsewhere: nothing of it can go back.
    const [payment] = await tx.select({ outcome: payments.outcome }).from(payments).where(eq(payments.id, paymentId))
    const [decision] = await tx.select().from(paymentDecisions).where(eq(paymentDecisions.paymentId, paymentId))
    if (payment?.outcome === 'matched' || decision?.decision === 'assigned') throw new DecisionRefused('already_decided')
  }
  const answered = await tx
    .update(paymentRecalls)
    .set({ answer, answeredBy: actorText(actor), answeredAt: now, answerWhy: why })
    .where(and(eq(paymentRecalls.paymentId, paymentId), isNull(paymentRecalls.answer)))
    .returning({ id: paymentRecalls.id })
  return answered.length > 0
}
