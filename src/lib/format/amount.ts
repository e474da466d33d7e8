/** Formats amounts for the customer. Display decimals: spec section 9; always rounded down. */

import type { DisplayCurrency } from '#lib/domain/access/settings.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { type Decimal, decimal, type Rounding, rescale, toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'

const TOKEN_DIGITS = 3
const MONEY_DIGITS = 2
const PRICE_DIGITS: Record<string, number> = { CPC: 5, PTC: 6 }
const DEFAULT_PRICE_DIGITS = 2

function grouped(value: Decimal): string {
  const [whole = '0', fraction] = writeDecimal(value).split('.')
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction ? `${separated}.${fraction}` : separated
}

const trimmed = (text: string) => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** Rounded down; what would be zero by that is shown as less than the smallest figure: `< 0.001`. */
function shortened(units: bigint, token: string, digits: number): string {
  const shown = rescale(toDecimal(units, decimalsOf(token)), digits, 'down')
  return shown.digits === 0n && units > 0n ? `< ${grouped(toDecimal(1n, digits))}` : grouped(shown)
}

/** Smallest units (as text or bigint) of a token with 3 decimals, for the wallet's table: `1,666,666.600`. */
export function formatUnits(units: string | bigint, token: string): string {
  return shortened(BigInt(units), token, TOKEN_DIGITS)
}

/** Smallest units with at most 3 decimals and no trailing zeros, for lists and headlines: `1,666,666.6`. */
export function formatShortUnits(units: string | bigint, token: string): string {
  return trimmed(formatUnits(units, token))
}

/** Smallest units of a token that counts as money, with 2 decimals: `200.00`. */
export function formatMoneyUnits(units: string | bigint, token: string): string {
  return shortened(BigInt(units), token, MONEY_DIGITS)
}

/** The same with every digit, where somebody decides or compares: `200.00`, `200.000001`. */
export function formatExactMoneyUnits(units: string | bigint, token: string): string {
  const [whole = '0', fraction = ''] = formatExactUnits(units, token).split('.')
  return `${whole}.${fraction.padEnd(MONEY_DIGITS, '0')}`
}

/** Smallest units with every digit that is not a trailing zero, for explanations. */
export function formatExactUnits(units: string | bigint, token: string): string {
  return trimmed(grouped(toDecimal(BigInt(units), decimalsOf(token))))
}

/** A decimal text as money with 2 decimals: `1,040.00`. Rounds down: amounts that the customer owes arrive already rounded up. */
function formatMoney(text: string): string {
  return grouped(rescale(decimal(text), MONEY_DIGITS, 'down'))
}

export function formatUsd(text: string): string {
  return `$${formatMoney(text)}`
}

export function formatEur(text: string): string {
  return `€${formatMoney(text)}`
}

const SIGNS: Record<DisplayCurrency, string> = { USD: '$', EUR: '€' }

/** Cents as `$1,040.00` or `€1,040.00`. */
export function formatCents(cents: bigint, currency: DisplayCurrency = 'USD'): string {
  const sign = cents < 0n ? '−' : ''
  return `${sign}${SIGNS[currency]}${grouped(toDecimal(cents < 0n ? -cents : cents, MONEY_DIGITS))}`
}

/** A change of a value in cents, with its sign: `+$12.00`, `−$0.50`, `$0.00`. */
export function formatChange(cents: bigint, currency: DisplayCurrency = 'USD'): string {
  return `${cents > 0n ? '+' : ''}${formatCents(cents, currency)}`
}

/** A change of a price in hundredths of a percent, with its sign: `+1.24%`, `−0.40%`, `0.00%`. */
export function formatPriceChange(hundredths: number): string {
  const sign = hundredths > 0 ? '+' : hundredths < 0 ? '−' : ''
  return `${sign}${grouped(toDecimal(BigInt(Math.abs(hundredths)), 2))}%`
}

/** A unit price, for tables: 5 decimals for CPC, 6 for PTC, 2 otherwise. */
export function formatPrice(text: string, token: string, currency: DisplayCurrency = 'USD'): string {
  return `${SIGNS[currency]}${grouped(rescale(decimal(text), PRICE_DIGITS[token] ?? DEFAULT_PRICE_DIGITS, 'down'))}`
}

/** The same outside tables, rounded down but for an average: 5 decimals for CPC and 6 for PTC too; of others, at least 2 decimals, and up to 8 below a cent. */
export function formatShortPrice(
  text: string,
  token: string,
  currency: DisplayCurrency = 'USD',
  rounding: Rounding = 'down'
): string {
  const digits =
    PRICE_DIGITS[token] ?? (decimal(text).digits * 100n < 10n ** BigInt(decimal(text).scale) ? 8 : DEFAULT_PRICE_DIGITS)
  const [whole = '0', fraction = ''] = grouped(rescale(decimal(text), digits, rounding)).split('.')
  const shown = fraction.replace(/0+$/, '')
  return `${SIGNS[currency]}${whole}.${shown.padEnd(PRICE_DIGITS[token] ?? MONEY_DIGITS, '0')}`
}

/** Hundredths of a percent: `12%`, `12.5%`. */
export function formatRate(hundredths: number): string {
  return `${trimmed(writeDecimal(toDecimal(BigInt(hundredths), 2)))}%`
}

/** A rate as written, without trailing zeros. */
export function formatExact(text: string): string {
  return trimmed(text)
}
