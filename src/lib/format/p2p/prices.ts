import { currencyOf } from '#lib/domain/money/currencies.ts'
import { rescale, toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'

/** A price with all its digits, padded to the digits of a shown price of the asset (spec section 9): `0.04950`. */
export function formatCoinPrice(text: string, assetCurrency: string): string {
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(currencyOf(assetCurrency).priceDigits, '0')}`
}

/** Basis points away from the reference: `+12.0%`, `−1.0%`. */
export function formatDifference(basisPoints: number): string {
  const sign = basisPoints > 0 ? '+' : basisPoints < 0 ? '−' : ''
  return `${sign}${writeDecimal(rescale(toDecimal(BigInt(Math.abs(basisPoints)), 2), 1, 'halfUp'))}%`
}

/** The month of a moment, for since when somebody trades: `03.2026`. */
export const formatMonth = (moment: string) => `${moment.slice(5, 7)}.${moment.slice(0, 4)}`
