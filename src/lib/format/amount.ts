/** Amounts as the customer reads them. Display decimals: spec section 9; always rounded down, never up. */

import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { type Decimal, decimal, rescale, toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'

const TOKEN_DIGITS = 3
const MONEY_DIGITS = 2
const PRICE_DIGITS: Record<string, number> = { CPC: 5, PTC: 6 }
const DEFAULT_PRICE_DIGITS = 2

function grouped(value: Decimal): string {
  const [whole = '0', fraction] = writeDecimal(value).split('.')
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${separated}.${fraction}` : separated
}

/** Smallest units (as text or bigint) of a token with 3 decimals: `1,666,666.666`. */
export function formatUnits(units: string | bigint, token: string): string {
  return grouped(rescale(toDecimal(BigInt(units), decimalsOf(token)), TOKEN_DIGITS, 'down'))
}

/** Smallest units with every digit that is not a trailing zero, for explanations. */
export function formatExactUnits(units: string | bigint, token: string): string {
  const text = grouped(toDecimal(BigInt(units), decimalsOf(token)))
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** A decimal text as money with 2 decimals: `1,040.00`. What a customer owes is already rounded up where it is computed. */
function formatMoney(text: string): string {
  return grouped(rescale(decimal(text), MONEY_DIGITS, 'down'))
}

export function formatUsd(text: string): string {
  return `$${formatMoney(text)}`
}

export function formatEur(text: string): string {
  return `€${formatMoney(text)}`
}

/** US cents as `$1,040.00`. */
export function formatUsdCents(cents: bigint): string {
  return `$${grouped(toDecimal(cents, MONEY_DIGITS))}`
}

/** A unit price in USD: 5 decimals for CPC, 6 for PTC, 2 otherwise. */
export function formatPrice(text: string, token: string): string {
  return `$${grouped(rescale(decimal(text), PRICE_DIGITS[token] ?? DEFAULT_PRICE_DIGITS, 'down'))}`
}

/** Hundredths of a percent: `12%`, `12.5%`. */
export function formatRate(hundredths: number): string {
  return `${writeDecimal(toDecimal(BigInt(hundredths), 2)).replace(/\.?0+$/, '')}%`
}

/** A rate as written, without trailing zeros. */
export function formatExact(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
