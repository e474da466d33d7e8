/** The steps for a customer without holdings: verify, choose a package, pay; then wait for the payment. */
import { ORDER_STATUS } from '../orders/order.ts'

export const FIRST_STEPS = ['verify', 'choose', 'pay'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

type Order = { status: number }
type Payable = Order & { payableUntil: string; cancelledAt: string | null; unfitPayment: object | null }

/**
 * The order that the steps show: one that the customer declared paid, otherwise one that can still be paid. It is not cancelled,
 * has no payment that needs a check, and is not past its time.
 */
export function orderOfSteps<T extends Payable>(orders: T[], now: Date): T | undefined {
  const isPayable = ({ status, payableUntil, cancelledAt, unfitPayment }: T) =>
    status === ORDER_STATUS.pending && !cancelledAt && !unfitPayment && new Date(payableUntil) > now
  return orders.find(isAnnounced) ?? orders.find(isPayable)
}

/** The current step. `open`: the order that waits for its payment. */
export function nextStep(isVerified: boolean, open: Order | undefined): FirstStep {
  if (!isVerified) return 'verify'
  return open ? 'pay' : 'choose'
}

/** True if the customer has declared the order paid: we wait for the bank. */
export function isAnnounced({ status }: Order): boolean {
  return status === ORDER_STATUS.processing
}
