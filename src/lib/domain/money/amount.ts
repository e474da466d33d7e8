/** Reads amounts that customers type. Source: spec sections 5 and 8. */
import { readDecimal, toUnits } from './decimal.ts'

export type AmountError = 'amount_required' | 'amount_not_positive' | 'amount_too_fine'

/** Thousands do not begin with a zero: `0,500` is refused, because it usually means a half. */
const GROUPED = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/

/**
 * Converts a typed amount, e.g. `1,000.5` of a token with 8 digits, to smallest units, or returns an error code. A comma
 * only separates thousands, as on the screens; `1,5` and `0,500` are ambiguous and therefore an error.
 */
export function readAmount(text: string, decimals: number): { units: bigint; error?: undefined } | { error: AmountError } {
  const typed = text.replace(/\s/g, '')
  if (typed === '') return { error: 'amount_required' }
  const plain = GROUPED.test(typed) ? typed.replaceAll(',', '') : typed
  const value = readDecimal(plain.startsWith('.') ? `0${plain}` : plain.replace(/\.$/, ''))
  if (!value || value.digits === 0n) return { error: 'amount_not_positive' }
  const significant = plain.includes('.') ? (plain.replace(/0+$/, '').split('.')[1]?.length ?? 0) : 0
  if (significant > decimals) return { error: 'amount_too_fine' }
  return { units: toUnits(value, decimals, 'down') }
}
