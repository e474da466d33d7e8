/** The life of an order. Source: spec section 4; docs/architecture.md. */

/** 0 created, 1 the customer says that it is paid, 2 the payment was seen at the bank. */
export const ORDER_STATUS = { pending: 0, processing: 1, completed: 2 } as const

/** The preview shows an open, unpaid order again while it is at most this old; then a new one is made. */
export const QUOTE_REUSE_HOURS = 24
/** A transfer counts for its order while the order is at most this old: regular SEPA over a long weekend. */
const PAYABLE_DAYS = 7
const DAY_MS = 86_400_000

/** The last moment at which an order's payment may arrive; later its rate no longer applies. */
export function payableUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + PAYABLE_DAYS * DAY_MS)
}

export function isOpenOrder(status: number): boolean {
  return status === ORDER_STATUS.pending || status === ORDER_STATUS.processing
}
