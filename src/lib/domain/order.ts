/** The life of an order. Source: spec section 4, design section 9. */

/** 0 created, 1 the customer says that it is paid, 2 the payment was seen at the bank. */
export const ORDER_STATUS = { pending: 0, processing: 1, completed: 2 } as const

/** An open, unpaid order is shown again instead of a new one while its euro quote is at most this old. */
export const QUOTE_REUSE_HOURS = 24

function isOpen(status: number): boolean {
  return status === ORDER_STATUS.pending || status === ORDER_STATUS.processing
}

export type UnmatchedReason = 'unknown_reference' | 'wrong_currency' | 'order_already_paid' | 'amount_too_low' | 'amount_too_high'

/**
 * Whether a bank entry pays an order: exactly the amount, in EUR, once. Amounts in euro cents.
 * Anything else is kept as unmatched, with the first reason that holds.
 */
export function judgePayment(
  payment: { amountCents: bigint; currency: string },
  order: { status: number; euroCentsToPay: bigint } | undefined
): 'matched' | UnmatchedReason {
  if (!order) return 'unknown_reference'
  if (payment.currency !== 'EUR') return 'wrong_currency'
  if (!isOpen(order.status)) return 'order_already_paid'
  if (payment.amountCents < order.euroCentsToPay) return 'amount_too_low'
  if (payment.amountCents > order.euroCentsToPay) return 'amount_too_high'
  return 'matched'
}
