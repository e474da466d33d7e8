/** Decides which payment an outgoing bank entry sends back. Amounts in cents. Source: ADR 0021. */
import { plainIban } from './sepa.ts'

/** An incoming payment and what has happened to it. */
export type Incoming = {
  id: bigint
  amountCents: bigint
  currency: string
  /** yyyy-mm-dd */
  bookedOn: string
  payerIban: string
  /** The orders that the payment names, or that it was matched or assigned to. */
  orderIds: string[]
  /** `waiting`: fits no order and is not decided yet. `paid`: it completed an order. */
  state: 'waiting' | 'refunded' | 'paid'
  /** The part above the price of the order it was assigned to; we owe it back to the payer. */
  surplusCents: bigint
  /** Money that has already left the bank: `isSentBack` the whole payment, `isRefundSent` a decided refund. */
  isSentBack: boolean
  isRefundSent: boolean
  /** Its refund is in a file for the bank, which names it. */
  isInFile: boolean
}

export type Outgoing = Pick<Incoming, 'amountCents' | 'currency' | 'bookedOn' | 'payerIban'> & { orderId: string | undefined }

/**
 * `refund`: an operator decided to send the money back. `debit`: a payment that fits no order went back. `returned`: the payment of a
 * completed order was taken back.
 */
export type SentBack = 'refund' | 'debit' | 'returned'

const PRIORITY: SentBack[] = ['debit', 'returned']

/** What it means if this amount of this payment leaves the bank; undefined if it cannot belong to the payment. */
export function sentBackAs(payment: Incoming, { amountCents, currency }: Outgoing): SentBack | undefined {
  if (payment.isSentBack || payment.currency !== currency) return undefined
  const isWhole = amountCents === payment.amountCents
  if (payment.state === 'waiting') return isWhole ? 'debit' : undefined
  if (payment.state === 'refunded') return isWhole && !payment.isRefundSent ? 'refund' : undefined
  if (isWhole) return 'returned'
  return payment.surplusCents === amountCents && !payment.isRefundSent ? 'refund' : undefined
}

/**
 * Finds the payment that an outgoing entry sends back, if the bank does not name it: booked no later, and of the same order, or of
 * the same account if one of them names no order. A decided refund comes first, then the same order, then a waiting payment: an entry
 * counts as the payment of a completed order taken back only if nothing else explains it.
 */
export function findSentBack<Known extends Incoming>(
  payments: Known[],
  out: Outgoing
): { payment: Known; as: SentBack } | undefined {
  const candidates = payments.flatMap((payment) => {
    const as = payment.bookedOn <= out.bookedOn ? sentBackAs(payment, out) : undefined
    // An entry of another account can only be a payment taken back: anyone can write an order's reference into a text.
    const isForeign = as !== 'returned' && isOtherAccount(payment, out)
    const tie = as && !isForeign && tieBetween(payment, out)
    // Refunds in no file come first: one in a file carries an identifier of its own, by which it is found.
    return as && tie
      ? [{ payment, as, rank: [as === 'refund' ? (payment.isInFile ? 1 : 0) : 2, tie === 'order' ? 0 : 1, PRIORITY.indexOf(as)] }]
      : []
  })
  return candidates.sort((a, b) => compare(a.rank, b.rank) || Number(a.payment.id - b.payment.id))[0]
}

/** True if both entries name an account, and not the same one. */
function isOtherAccount({ payerIban }: Pick<Incoming, 'payerIban'>, out: Pick<Outgoing, 'payerIban'>): boolean {
  const [one, other] = [plainIban(payerIban), plainIban(out.payerIban)]
  return one !== '' && other !== '' && one !== other
}

/** What ties two entries to the same payment: their order if both name one, otherwise the payer's account. */
export function tieBetween(
  { orderIds, payerIban }: Pick<Incoming, 'orderIds' | 'payerIban'>,
  out: Pick<Outgoing, 'orderId' | 'payerIban'>
): 'order' | 'account' | undefined {
  if (out.orderId !== undefined && orderIds.length > 0) return orderIds.includes(out.orderId) ? 'order' : undefined
  const iban = plainIban(out.payerIban)
  // The bank does not always name an account: two missing accounts are not the same account.
  return iban !== '' && iban === plainIban(payerIban) ? 'account' : undefined
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
