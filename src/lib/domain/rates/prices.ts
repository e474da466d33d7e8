/** The prices in USD that the product itself sets. */

import { decimalsOf } from '../money/currencies.ts'
import { decimal, multiply, toDecimal, toUnits } from '../money/decimal.ts'

const USD_DECIMALS = 2

/** PTC has no market: its price in USD is that of the packages (spec section 3). `day` as yyyy-mm-dd. */
export function ptcPriceOn(day: string): string {
  return day < '2026-01-01' ? '0.0006' : '0.0009'
}

/** The value of an amount (smallest units) in US cents, rounded down. */
export function valueInCents(units: bigint, currency: string, priceUsd: string): bigint {
  return toUnits(multiply(toDecimal(units, decimalsOf(currency)), decimal(priceUsd)), USD_DECIMALS, 'down')
}
