/** Decides which payment an outgoing bank entry sends back. Amounts in cents. Source: docs/decisions, payments that fit no order. */

/** An incoming payment and what became of it. */
export type Incoming = {
  id: bigint
  amountCents: bigint
  currency: string
  /** yyyy-mm-dd */
  bookedOn: string
  payerIban: string
  /** The orders that it names, was matched to or was assigned to. */
  orderIds: string[]
  /** `waiting`: fits no order and is not decided. `paid`: an order was completed with it. */
  state: 'waiting' | 'refunded' | 'paid'
  /** What it is more than the order it was assigned to: owed back to the payer. */
  surplusCents: bigint
  /** Money that left the bank already: all of it, or what was owed. */
  isSentBack: boolean
  isRefundSent: boolean
}

export type Outgoing = Pick<Incoming, 'amountCents' | 'currency' | 'bookedOn' | 'payerIban'> & { orderId: string | undefined }

/**
 * `refund`: what an operator decided to send back. `debit`: a payment that fits no order went back. `returned`: the payment of
 * a completed order was taken back.
 */
export type SentBack = 'refund' | 'debit' | 'returned'

const PRIORITY: SentBack[] = ['debit', 'returned']

/** What it means that this amount of this payment leaves the bank; undefined if it cannot. */
export function sentBackAs(payment: Incoming, { amountCents, currency }: Outgoing): SentBack | undefined {
  if (payment.isSentBack || payment.currency !== currency) return undefined
  const isWhole = amountCents === payment.amountCents
  if (payment.state === 'waiting') return isWhole ? 'debit' : undefined
  if (payment.state === 'refunded') return isWhole && !payment.isRefundSent ? 'refund' : undefined
  if (isWhole) return 'returned'
  return payment.surplusCents === amountCents && !payment.isRefundSent ? 'refund' : undefined
}

/**
 * The payment that an outgoing entry sends back, where the bank does not name it: booked no later, of the same order, or of the
 * same account where one of them names no order. A decided refund comes first, then the same order, then what waits, because
 * only a payment that nothing else explains was taken back from a customer.
 */
export function findSentBack<Known extends Incoming>(
  payments: Known[],
  out: Outgoing
): { payment: Known; as: SentBack } | undefined {
  const candidates = payments.flatMap((payment) => {
    const as = payment.bookedOn <= out.bookedOn ? sentBackAs(payment, out) : undefined
    const tie = as && tieBetween(payment, out)
    return as && tie ? [{ payment, as, rank: [as === 'refund' ? 0 : 1, tie === 'order' ? 0 : 1, PRIORITY.indexOf(as)] }] : []
  })
  return candidates.sort((a, b) => compare(a.rank, b.rank) || Number(a.payment.id - b.payment.id))[0]
}

/** By what two entries are about the same payment: by their order where both name one, otherwise by the payer's account. */
export function tieBetween(
  { orderIds, payerIban }: Pick<Incoming, 'orderIds' | 'payerIban'>,
  out: Pick<Outgoing, 'orderId' | 'payerIban'>
): 'order' | 'account' | undefined {
  if (out.orderId !== undefined && orderIds.length > 0) return orderIds.includes(out.orderId) ? 'order' : undefined
  const iban = plainIban(out.payerIban)
  // The bank does not always name an account: two that are not named are not the same.
  return iban !== '' && iban === plainIban(payerIban) ? 'account' : undefined
}

const plainIban = (iban: string) => iban.replace(/\s/g, '').toUpperCase()

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
