/** Payments that fit no order: how they appear at the order, and the messages to the customer. */
import { and, asc, eq, inArray, isNull, ne } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { DECIDE_HOURS, UNFIT_REASONS, type UnfitReason } from '#lib/domain/orders/order.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { users } from '../access/index.ts'
import { type OrderRow, orderLink, orders, setUnfitPayment } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import type { Payment } from './match.ts'
import { paymentDecisions, payments } from './schema.ts'

const decideBy = ({ receivedAt }: Payment) => new Date(receivedAt.getTime() + DECIDE_HOURS * 3_600_000)

function isUnfit(outcome: string): outcome is UnfitReason {
  return UNFIT_REASONS.some((reason) => reason === outcome)
}

/**
 * Incoming payments that wait for a decision, oldest first; with `orderId`, only those for that order. A payment that the bank has
 * sent back no longer waits.
 */
export async function undecidedPayments(db: Executor, orderId?: string): Promise<Payment[]> {
  const debit = alias(payments, 'debit')
  const rows = await db
    .select({ payment: payments })
    .from(payments)
    .leftJoin(paymentDecisions, eq(paymentDecisions.paymentId, payments.id))
    .leftJoin(debit, eq(debit.counterpartId, payments.id))
    .where(
      and(
        eq(payments.direction, 'credit'),
        ne(payments.outcome, literal('matched')),
        isNull(paymentDecisions.paymentId),
        isNull(payments.counterpartId),
        isNull(debit.id),
        orderId === undefined ? undefined : eq(payments.orderId, orderId)
      )
    )
    .orderBy(asc(payments.id))
  return rows.map(({ payment }) => payment)
}

/** Who sent the money that waits for a decision, and the customer whose order it names. */
export async function waitingPayers(db: Executor): Promise<{ name: string; iban: string; userId: string | undefined }[]> {
  const waiting = await undecidedPayments(db)
  const ids = waiting.flatMap(({ orderId }) => orderId ?? [])
  const owners = new Map(
    ids.length === 0
      ? []
      : (await db.select({ id: orders.id, userId: orders.userId }).from(orders).where(inArray(orders.id, ids))).map(
          ({ id, userId }) => [id, userId] as const
        )
  )
  return waiting.map(({ payerName: name, payerIban: iban, orderId }) => ({
    name,
    iban,
    userId: orderId ? owners.get(orderId) : undefined
  }))
}

/** Stores with the order its newest undecided payment, or that there is none. */
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

/** Updates the order and mails the customer about a payment that does not fit, in the transaction that books it. */
export async function tellUnfit(context: Context, work: Work, payment: Payment, order: OrderRow): Promise<void> {
  if (!isUnfit(payment.outcome) || payment.counterpartId !== null) return
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
