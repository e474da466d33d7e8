/** The life of an order. Source: spec section 4; ADR 0021. */

/** 0: created. 1: the customer declared it paid. 2: the payment was seen at the bank. */
export const ORDER_STATUS = { pending: 0, processing: 1, completed: 2 } as const
export type OrderStatus = (typeof ORDER_STATUS)[keyof typeof ORDER_STATUS]

/** The allowed steps of an order; the database refuses every other. An exact payment completes even an order not declared paid. */
export const ORDER_STEPS: Record<OrderStatus, readonly OrderStatus[]> = { 0: [1, 2], 1: [2], 2: [] }

/** The statuses from which an order may change to this one. */
export function orderStatesBefore(status: OrderStatus): OrderStatus[] {
  return Object.values(ORDER_STATUS).filter((from) => ORDER_STEPS[from].includes(status))
}

/**
 * The preview reuses an unpaid order while it is at most this old; then it creates a new one. An older order that was never
 * declared paid disappears from the lists.
 */
export const QUOTE_REUSE_HOURS = 24
/** A transfer pays its order only while the order is at most this old: enough for regular SEPA over a long weekend. */
const PAYABLE_DAYS = 7
const DAY_MS = 86_400_000

/** The last moment at which an order's payment may arrive; later its rate no longer applies. */
export function payableUntil(createdAt: Date): Date {
  return new Date(createdAt.getTime() + PAYABLE_DAYS * DAY_MS)
}

export function isOpenOrder(status: number): boolean {
  return status === ORDER_STATUS.pending || status === ORDER_STATUS.processing
}

export const UNFIT_REASONS = [
  'wrong_currency',
  'order_already_paid',
  'quote_expired',
  'amount_too_low',
  'amount_too_high',
  'not_verified',
  'in_review'
] as const
export type UnfitReason = (typeof UNFIT_REASONS)[number]

/** A payment that does not fit its order; `decideBy`: when we must have decided what happens to it. */
export type UnfitPayment = {
  reason: UnfitReason
  amountCents: string
  currency: string
  receivedAt: string
  decideBy: string
}

/** Within this time an operator decides what happens to a payment that does not fit. */
export const DECIDE_HOURS = 48

type Cancellable = { status: number; cancelledAt: unknown; unfitPayment: unknown }

/** An order can be cancelled until it is declared paid or cancelled, and while no payment for it waits for a decision. */
export function mayCancel({ status, cancelledAt, unfitPayment }: Cancellable): boolean {
  return status === ORDER_STATUS.pending && cancelledAt === null && unfitPayment === null
}

const TRANSFER_BUSINESS_DAYS = 3

/** The time by which a regular SEPA transfer made at `announcedAt` arrives (spec section 9): 3 business days later, UTC. */
export function arrivesBy(announcedAt: Date): Date {
  const day = new Date(announcedAt)
  for (let left = TRANSFER_BUSINESS_DAYS; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day
}
