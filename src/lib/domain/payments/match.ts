/** Decides whether a bank entry pays an order. Source: ADR 0021, ADR 0004. */
import { isOpenOrder, payableUntil } from '../orders/order.ts'

const UNMATCHED_REASONS = [
  'unknown_reference',
  'wrong_currency',
  'order_already_paid',
  'quote_expired',
  'amount_too_low',
  'amount_too_high',
  'not_verified',
  'entry_changed',
  /** Somebody must look at the payer's name first. */
  'in_review'
] as const
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number]

/** The outcome of a bank entry: a payment of an order, a payment that fits no order, or money that left the account. */
export const PAYMENT_OUTCOMES = ['matched', 'returned', 'debit', 'refund', ...UNMATCHED_REASONS] as const
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number]

/** Why an operator cannot assign a payment to an order. */
export type NotAssignable = 'wrong_currency' | 'order_not_open' | 'too_little' | 'not_verified' | 'screening' | 'screening_waits'

/** An assigned payment may be short by this share of the order: enough for bank fees, not enough for another package. */
const MOST_SHORT_PERCENT = 2n

/** Why an operator cannot assign a payment to an order; undefined if they can. Amounts in euro cents. */
export function assignable(
  payment: { amountCents: bigint; currency: string },
  order: { status: number; euroCentsToPay: bigint; isVerified: boolean }
): NotAssignable | undefined {
  if (payment.currency !== 'EUR') return 'wrong_currency'
  if (!isOpenOrder(order.status)) return 'order_not_open'
  if (payment.amountCents * 100n < order.euroCentsToPay * (100n - MOST_SHORT_PERCENT)) return 'too_little'
  return order.isVerified ? undefined : 'not_verified'
}

/** The first moment of a day (yyyy-mm-dd), UTC. */
function startOfDay(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}

/**
 * Matches only the exact EUR amount of an open order, booked in time, of a customer whose identity is verified. Any
 * other entry is unmatched, with the first reason that applies. Amounts in euro cents.
 */
export function matchPayment(
  payment: { amountCents: bigint; currency: string; bookedOn: string },
  order: { status: number; euroCentsToPay: bigint; createdAt: Date; isVerified: boolean } | undefined
): 'matched' | UnmatchedReason {
  if (!order) return 'unknown_reference'
  if (payment.currency !== 'EUR') return 'wrong_currency'
  if (!isOpenOrder(order.status)) return 'order_already_paid'
  // The last day counts as a whole: an entry that the bank booked on it is in time.
  if (startOfDay(payment.bookedOn) > payableUntil(order.createdAt)) return 'quote_expired'
  if (payment.amountCents < order.euroCentsToPay) return 'amount_too_low'
  if (payment.amountCents > order.euroCentsToPay) return 'amount_too_high'
  return order.isVerified ? 'matched' : 'not_verified'
}
