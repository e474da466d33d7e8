/** The cost of a package and the tokens that it buys. Source: spec section 9; rounding: docs/architecture.md. */

import { decimalsOf } from '../money/currencies.ts'
import { type Decimal, decimal, divide, multiply, powerOfTen, quotient, rescale, toDecimal, toUnits } from '../money/decimal.ts'
import type { PackageConfig, PackageType } from './packages.ts'

const FEE_PERCENT = 4n
export const USD_DECIMALS = 2
export const EUR_DECIMALS = 2
/** The EUR value of the fiat amount is kept to 6 places. */
export const EUR_VALUE_DECIMALS = 6

/** US cents: the package's price, the fee on top, and the sum of both. */
export type Cost = { fiatCents: bigint; feeCents: bigint; totalCents: bigint }

/** The cost of a package. The customer owes us the fee, so it is rounded up to the cent. */
export function costOf({ priceUsd }: Pick<PackageConfig, 'priceUsd'>): Cost {
  const fiatCents = priceUsd * powerOfTen(USD_DECIMALS)
  const feeCents = divide(fiatCents * FEE_PERCENT, 100n, 'up')
  return { fiatCents, feeCents, totalCents: fiatCents + feeCents }
}

/** The EUR value of an amount of US cents at `eurPerUsd`, rounded half up to 6 places. */
export function euroValue(usdCents: bigint, eurPerUsd: Decimal): Decimal {
  return rescale(multiply(toDecimal(usdCents, USD_DECIMALS), eurPerUsd), EUR_VALUE_DECIMALS, 'halfUp')
}

/** The amount of the bank transfer in euro cents. Rounded up: a transfer has no smaller unit. */
export function euroCentsToPay(totalUsdCents: bigint, eurPerUsd: Decimal): bigint {
  return toUnits(multiply(toDecimal(totalUsdCents, USD_DECIMALS), eurPerUsd), EUR_DECIMALS, 'up')
}

/** Tokens for an amount of US cents at a price in USD, in the token's smallest units. We owe them, so they are rounded down. */
export function tokensFor(usdCents: bigint, priceUsd: Decimal, token: string): bigint {
  return quotient(toDecimal(usdCents, USD_DECIMALS), priceUsd, decimalsOf(token), 'down').digits
}

/** The tokens of a package at the day's CPC price, in smallest units; the other token's amount is zero. */
export function tokensOf(
  config: Pick<PackageConfig, 'type' | 'priceUsd' | 'ptcPriceUsd'>,
  cpcPriceUsd: string
): { token: PackageType; priceUsd: string; cpcAmount: bigint; ptcAmount: bigint } {
  const priceUsd = config.ptcPriceUsd ?? cpcPriceUsd
  const amount = tokensFor(costOf(config).fiatCents, decimal(priceUsd), config.type)
  const isCpc = config.type === 'CPC'
  return { token: config.type, priceUsd, cpcAmount: isCpc ? amount : 0n, ptcAmount: isCpc ? 0n : amount }
}

const HUNDREDTHS_OF_PERCENT = 10_000n

/** The bonus of a package of the promotion, in PTC's smallest units, rounded down; zero for every other package. */
export function bonusOf({ bonusRateHundredths }: Pick<PackageConfig, 'bonusRateHundredths'>, ptcUnits: bigint): bigint {
  return divide(ptcUnits * BigInt(bonusRateHundredths), HUNDREDTHS_OF_PERCENT, 'down')
}
