/** What a customer has to do, or waits for, most urgent first: the dashboard shows the first one large, and the others as rows. */
import { isOpenOrder, ORDER_STATUS } from '../orders/order.ts'

type Order = { status: number; cancelledAt: string | null; payableUntil: string; unfitPayment: object | null }
type Withdrawal = { state: string }
type Deposit = { status: string; note: string | null }
type Facts<O, W, D, Q, P> = {
  orders: O[]
  withdrawals: W[]
  deposits: D[]
  /** Deposits whose sender must be named before anything leaves. */
  questions: Q[]
  /** Why withdrawals are stopped; null if they are not, or if only the identity check is missing. */
  hold: string | null
  isVerified: boolean
  next: P | null
}

/** In the order of their urgency. The first six wait for the customer, `check` and `hold` for both. */
export type Matter<O, W, D, Q, P> =
  | { kind: 'check'; of: O }
  | { kind: 'hold'; of: string }
  | { kind: 'pay'; of: O }
  | { kind: 'confirm'; of: W }
  | { kind: 'sender'; of: Q }
  | { kind: 'verify'; of: null }
  | { kind: 'order'; of: O }
  | { kind: 'withdrawal'; of: W }
  | { kind: 'deposit'; of: D }
  | { kind: 'payout'; of: P }

/** A payout further ahead than this is nothing that somebody waits for yet. */
const SOON_DAYS = 31
const DAY_MS = 86_400_000
const SENT = ['review', 'approved', 'signed']

const as = <K extends string, T>(kind: K, list: T[]) => list.map((of) => ({ kind, of }))

/** Each list newest first, as the calls answer. A deposit that is not credited for a reason of its own is nothing to wait for. */
export function whatIsNext<O extends Order, W extends Withdrawal, D extends Deposit, Q, P extends { dueAt: string }>(
  { orders, withdrawals, deposits, questions, hold, isVerified, next }: Facts<O, W, D, Q, P>,
  now: Date
): Matter<O, W, D, Q, P>[] {
  const open = orders.filter(({ status, cancelledAt, unfitPayment }) => !unfitPayment && !cancelledAt && isOpenOrder(status))
  const isSoon = next !== null && Date.parse(next.dueAt) - now.getTime() <= SOON_DAYS * DAY_MS
  return [
    ...as(
      'check',
      orders.filter(({ unfitPayment }) => unfitPayment)
    ),
    ...(hold === null ? [] : as('hold', [hold])),
    ...as(
      'pay',
      open.filter(({ status, payableUntil }) => status === ORDER_STATUS.pending && new Date(payableUntil) > now)
    ),
    ...as(
      'confirm',
      withdrawals.filter(({ state }) => state === 'unconfirmed')
    ),
    ...as('sender', questions),
    ...(isVerified ? [] : as('verify', [null])),
    ...as(
      'order',
      open.filter(({ status }) => status === ORDER_STATUS.processing)
    ),
    ...as(
      'withdrawal',
      withdrawals.filter(({ state }) => SENT.includes(state))
    ),
    ...as(
      'deposit',
      deposits.filter(({ status, note }) => status !== 'CREDITED' && note === null)
    ),
    ...(isSoon ? as('payout', [next]) : [])
  ]
}
