/** The life of an order. Source: spec section 4; docs/architecture.md. */

/** 0 created, 1 the customer says that it is paid, 2 the payment was seen at the bank. */
export const ORDER_STATUS = { pending: 0, processing: 1, completed: 2 } as const

/** The preview shows an open, unpaid order again while it is at most this old; then a new one is made. */
export const QUOTE_REUSE_HOURS = 24
/** A transfer counts for its order while the order is at most this old: regular SEPA over a long weekend. */
const PAYABLE_DAYS = 7
const DAY_MS = 86_400_000

/** Until when the payment of an order may arrive; later its rate is no longer ours to give. */
export function payableUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + PAYABLE_DAYS * DAY_MS)
}

function isOpen(status: number): boolean {
  return status === ORDER_STATUS.pending || status === ORDER_STATUS.processing
}

export type UnmatchedReason =
  | 'unknown_reference'
  | 'wrong_currency'
  | 'order_already_paid'
  | 'quote_expired'
  | 'amount_too_low'
  | 'amount_too_high'
  | 'not_verified'

/**
 * Whether a bank entry pays an order: exactly the amount, in EUR, once, of a customer whose identity is verified. Amounts in euro cents.
 * Anything else is kept as unmatched, with the first reason that holds.
 */
export function judgePayment(
  payment: { amountCents: bigint; currency: string; receivedAt: Date },
  order: { status: number; euroCentsToPay: bigint; createdAt: Date; isVerified: boolean } | undefined
): 'matched' | UnmatchedReason {
  if (!order) return 'unknown_reference'
  if (payment.currency !== 'EUR') return 'wrong_currency'
  if (!isOpen(order.status)) return 'order_already_paid'
  if (payment.receivedAt > payableUntil(order.createdAt)) return 'quote_expired'
  if (payment.amountCents < order.euroCentsToPay) return 'amount_too_low'
  if (payment.amountCents > order.euroCentsToPay) return 'amount_too_high'
  return order.isVerified ? 'matched' : 'not_verified'
}
