import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { formatEur } from '../amount.ts'

/** An amount of a payment as its payer knows it: `€956.79`; another currency than EUR by its code. */
export function formatReceived({ amountCents, currency }: { amountCents: string | bigint; currency: string }): string {
  const text = formatEur(writeDecimal(toDecimal(BigInt(amountCents), 2)))
  return currency === 'EUR' ? text : `${text.slice(1)} ${currency}`
}
