/** PTC's price in USD, which we set, and values of amounts at a price. */

import { decimalsOf } from '../money/currencies.ts'
import { decimal, multiply, toDecimal, toUnits, writeDecimal } from '../money/decimal.ts'

const USD_DECIMALS = 2

/** PTC has no market: its price in USD is the packages' price (spec section 3). `day` as yyyy-mm-dd. */
export function ptcPriceOn(day: string): string {
  return day < '2026-01-01' ? '0.0006' : '0.0009'
}

/** The value of an amount (smallest units) in cents of the price's currency, rounded down. */
export function valueInCents(units: bigint, currency: string, price: string): bigint {
  return toUnits(multiply(toDecimal(units, decimalsOf(currency)), decimal(price)), USD_DECIMALS, 'down')
}

/** The same, rounded up, so that rounding cannot get an amount under a limit. */
export function valueAtMost(units: bigint, currency: string, price: string): bigint {
  return toUnits(multiply(toDecimal(units, decimalsOf(currency)), decimal(price)), USD_DECIMALS, 'up')
}

/** Exact prices in the display currency: for EUR, the price in USD times the euro rate. */
export function pricesIn(
  currency: 'USD' | 'EUR',
  { prices, eurPerUsd }: { prices: Record<string, string>; eurPerUsd: string }
): Record<string, string> {
  if (currency === 'USD') return prices
  const rate = decimal(eurPerUsd)
  return Object.fromEntries(Object.entries(prices).map(([code, price]) => [code, writeDecimal(multiply(decimal(price), rate))]))
}

/** US cents converted to the display currency, rounded down. */
export function centsIn(currency: 'USD' | 'EUR', usdCents: bigint, eurPerUsd: string): bigint {
  return currency === 'USD'
    ? usdCents
    : toUnits(multiply(toDecimal(usdCents, USD_DECIMALS), decimal(eurPerUsd)), USD_DECIMALS, 'down')
}
