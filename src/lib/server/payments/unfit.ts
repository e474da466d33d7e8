/** Payments that fit no order: what the order says of them, and what the customer is told. */
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import { DECIDE_HOURS, UNFIT_REASONS, type UnfitReason } from '#lib/domain/orders/order.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { formatReceived } from '#lib/format/received.ts'
import { users } from '../access/index.ts'
import { type OrderRow, orderLink, setUnfitPayment } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { belongTogether, type Payment } from './judge.ts'
import { paymentDecisions, payments } from './schema.ts'

const decideBy = ({ receivedAt }: Payment) => new Date(receivedAt.getTime() + DECIDE_HOURS * 3_600_000)

function isUnfit(outcome: string): outcome is UnfitReason {
  return UNFIT_REASONS.some((reason) => reason === outcome)
}

/**
 * Incoming payments that wait for a decision, oldest first, e.g. those for one order. A payment that the bank has sent back
 * waits no longer.
 */
export async function undecidedPayments(db: Executor, orderId?: string): Promise<Payment[]> {
  const rows = await db
    .select({ payment: payments })
    .from(payments)
    .leftJoin(paymentDecisions, eq(paymentDecisions.paymentId, payments.id))
    .where(and(eq(payments.direction, 'credit'), ne(payments.outcome, 'matched'), isNull(paymentDecisions.paymentId)))
    .orderBy(asc(payments.id))
  const amounts = rows.map(({ payment }) => payment.amountCents)
  if (amounts.length === 0) return []
  const sentBack = await db
    .select()
    .from(payments)
    .where(and(eq(payments.outcome, 'debit'), inArray(payments.amountCents, amounts)))
  // The oldest first: each debit sends back one payment.
  const waiting = rows.map(({ payment }) => payment).filter((payment) => !takeMatching(sentBack, payment))
  return orderId === undefined ? waiting : waiting.filter((payment) => payment.orderId === orderId)
}

/** Removes the debit that sent this payment back from the list; false where there is none. */
function takeMatching(debits: Payment[], payment: Payment): boolean {
  const at = debits.findIndex(
    (debit) => debit.amountCents === payment.amountCents && debit.currency === payment.currency && belongTogether(debit, payment)
  )
  if (at < 0) return false
  debits.splice(at, 1)
  return true
}

/** Writes to the order what is known of its undecided payments: the newest, or none. */
export async function refreshUnfit({ tx, now }: Work, orderId: string): Promise<void> {
  const newest = (await undecidedPayments(tx, orderId)).findLast(({ outcome }) => isUnfit(outcome))
  const unfit =
    newest && isUnfit(newest.outcome)
      ? {
          reason: newest.outcome,
          amountCents: newest.amountCents.toString(),
          currency: newest.currency,
          receivedAt: newest.receivedAt.toISOString(),
          decideBy: decideBy(newest).toISOString()
        }
      : null
  await setUnfitPayment(tx, orderId, unfit, now)
}

/** Tells the customer of a payment that does not fit their order, in the transaction that books it. */
export async function tellUnfit(context: Context, work: Work, payment: Payment, order: OrderRow): Promise<void> {
  if (!isUnfit(payment.outcome)) return
  await refreshUnfit(work, order.id)
  const [customer] = await work.tx.select().from(users).where(eq(users.id, order.userId))
  await work.enqueue(
    mailTo(customer, 'paymentUnfit', {
      orderId: order.id,
      reason: payment.outcome,
      received: formatReceived(payment),
      expected: formatReceived({ amountCents: order.euroCentsToPay, currency: 'EUR' }),
      until: `${formatMoment(decideBy(payment).toISOString())} UTC`,
      link: orderLink(context, order.id)
    })
  )
}
