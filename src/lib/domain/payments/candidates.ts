/** Which open order a payment that fits none may have meant: a score, and the reasons that it is the sum of. */
import { findReference, isReference, REFERENCE_BODY_LENGTH } from '../orders/reference.ts'
import { compareNames } from './names.ts'
import { plainIban } from './sepa.ts'

export const CANDIDATE_REASONS = {
  /** The order's reference, whole. */
  reference: 50,
  /** The same in another field than the remittance. */
  reference_elsewhere: 50,
  /** The same with one digit wrong, missing, too many, or two swapped. */
  reference_typo: 45,
  amount: 25,
  name: 15,
  name_similar: 8,
  /** The account has paid for this customer before. */
  account: 10
} as const
type CandidateReason = keyof typeof CANDIDATE_REASONS

export type Sent = { amountCents: bigint; currency: string; remittance: string; payerName: string; payerIban: string }
/** `paidFrom`: accounts that have paid for the customer before. */
export type OpenOrder = { id: string; euroCentsToPay: bigint; verifiedName: string; paidFrom: string[] }
export type Candidate<Order> = { order: Order; score: number; reasons: CandidateReason[] }

const LENGTH = 4 + REFERENCE_BODY_LENGTH
const DIGITS = '0123456789'

/** Valid references that differ from what was sent by one slip. At most a few of the hundreds of slips have right check digits. */
export function slipsOf(remittance: string): string[] {
  const plain = remittance.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const found = new Set<string>()
  const keep = (text: string) => {
    if (text.length === LENGTH && isReference(text)) found.add(text)
  }
  for (const sent of writtenLike(plain)) {
    for (let at = 2; at <= sent.length; at += 1) {
      for (const digit of DIGITS) {
        keep(sent.slice(0, at) + digit + sent.slice(at + 1))
        keep(sent.slice(0, at) + digit + sent.slice(at))
      }
      keep(sent.slice(0, at) + sent.slice(at + 1))
      keep(sent.slice(0, at) + (sent[at + 1] ?? '') + (sent[at] ?? '') + sent.slice(at + 2))
    }
  }
  return [...found]
}

/** Texts that look like a reference: `RF` and about as many digits, letters that look like digits included; or the digits alone. */
function writtenLike(plain: string): string[] {
  const found: string[] = []
  for (let at = plain.indexOf('RF'); at >= 0; at = plain.indexOf('RF', at + 1)) {
    const digits = plain
      .slice(at + 2)
      .replace(/O/g, '0')
      .replace(/[IL]/g, '1')
    for (const length of [LENGTH - 3, LENGTH - 2, LENGTH - 1]) {
      const body = digits.slice(0, length)
      if (body.length === length && /^\d+$/.test(body)) found.push(`RF${body}`)
    }
  }
  // Without its letters.
  for (const [digits] of plain.matchAll(/\d{14}/g)) found.push(`RF${digits}`)
  return found
}

/** References that the payment may name, the likely ones first: they are looked up among the open orders. */
export function meantReferences({ remittance, payerName }: Pick<Sent, 'remittance' | 'payerName'>): string[] {
  const whole = [findReference(remittance), findReference(payerName)].filter((one) => one !== undefined)
  return [...new Set([...whole, ...slipsOf(remittance)])]
}

/** Orders with at least one reason to be the one meant, the best first. */
export function scoreCandidates<Order extends OpenOrder>(sent: Sent, open: Order[]): Candidate<Order>[] {
  const [reference, elsewhere, slips] = [findReference(sent.remittance), findReference(sent.payerName), slipsOf(sent.remittance)]
  const account = plainIban(sent.payerIban)
  const scored = open.map((order) => {
    const reasons: CandidateReason[] = []
    if (order.id === reference) reasons.push('reference')
    else if (order.id === elsewhere) reasons.push('reference_elsewhere')
    else if (slips.includes(order.id)) reasons.push('reference_typo')
    if (sent.currency === 'EUR' && order.euroCentsToPay === sent.amountCents) reasons.push('amount')
    const names = compareNames(sent.payerName, order.verifiedName)
    if (names === 'same') reasons.push('name')
    if (names === 'similar') reasons.push('name_similar')
    if (account !== '' && order.paidFrom.some((iban) => plainIban(iban) === account)) reasons.push('account')
    return { order, reasons, score: reasons.reduce((sum, reason) => sum + CANDIDATE_REASONS[reason], 0) }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.order.id.localeCompare(other.order.id))
}
