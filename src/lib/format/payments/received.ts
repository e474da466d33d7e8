import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { formatEur } from '../amount.ts'

/** The amount of a bank payment: `€956.79`; a currency other than EUR with its code: `956.79 CHF`. */
export function formatReceived({ amountCents, currency }: { amountCents: string | bigint; currency: string }): string {
  const text = formatEur(writeDecimal(toDecimal(BigInt(amountCents), 2)))
  return currency === 'EUR' ? text : `${text.slice(1)} ${currency}`
}
