/** What a customer who has nothing yet does next: verify, choose a package, pay, wait for the payment. */
import { ORDER_STATUS } from '../orders/order.ts'

export const FIRST_STEPS = ['verify', 'choose', 'pay'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

type Order = { status: number }
type Payable = Order & { payableUntil: string; cancelledAt: string | null; unfitPayment: object | null }

/**
 * The order that the steps speak of: one that was announced before one that is only open, and none that is cancelled, that is
 * checked or whose time is over.
 */
export function orderOfSteps<T extends Payable>(orders: T[], now: Date): T | undefined {
  const isPayable = ({ status, payableUntil, cancelledAt, unfitPayment }: T) =>
    status === ORDER_STATUS.pending && !cancelledAt && !unfitPayment && new Date(payableUntil) > now
  return orders.find(isAnnounced) ?? orders.find(isPayable)
}

/** The step whose turn it is. `open`: the order that waits for its payment. */
export function nextStep(isVerified: boolean, open: Order | undefined): FirstStep {
  if (!isVerified) return 'verify'
  return open ? 'pay' : 'choose'
}

/** The customer has announced the payment: now it is our turn. */
export function isAnnounced({ status }: Order): boolean {
  return status === ORDER_STATUS.processing
}
