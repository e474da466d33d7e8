/** What a package costs and what it brings. Source: spec section 9; rounding: docs/architecture.md. */

import { decimalsOf } from '../money/currencies.ts'
import { type Decimal, decimal, divide, multiply, powerOfTen, quotient, rescale, toDecimal, toUnits } from '../money/decimal.ts'
import type { PackageConfig, PackageType } from './packages.ts'

const FEE_PERCENT = 4n
export const USD_DECIMALS = 2
export const EUR_DECIMALS = 2
/** The EUR value of the fiat amount is kept to 6 places. */
export const EUR_VALUE_DECIMALS = 6

/** US cents: what the package costs, the fee on top, and both together. */
export type Cost = { fiatCents: bigint; feeCents: bigint; totalCents: bigint }

/** The fee is what the customer owes us: rounded up to the cent. */
export function costOf({ priceUsd }: Pick<PackageConfig, 'priceUsd'>): Cost {
  const fiatCents = priceUsd * powerOfTen(USD_DECIMALS)
  const feeCents = divide(fiatCents * FEE_PERCENT, 100n, 'up')
  return { fiatCents, feeCents, totalCents: fiatCents + feeCents }
}

/** The EUR value of an amount of US cents at `eurPerUsd`, rounded half up to 6 places. */
export function euroValue(usdCents: bigint, eurPerUsd: Decimal): Decimal {
  return rescale(multiply(toDecimal(usdCents, USD_DECIMALS), eurPerUsd), EUR_VALUE_DECIMALS, 'halfUp')
}

/** What the bank transfer must bring, in euro cents: a transfer has no smaller unit, so it is rounded up. */
export function euroCentsToPay(totalUsdCents: bigint, eurPerUsd: Decimal): bigint {
  return toUnits(multiply(toDecimal(totalUsdCents, USD_DECIMALS), eurPerUsd), EUR_DECIMALS, 'up')
}

/** Tokens for an amount of US cents at a price in USD, in the token's smallest units; what we owe is rounded down. */
export function tokensFor(usdCents: bigint, priceUsd: Decimal, token: string): bigint {
  return quotient(toDecimal(usdCents, USD_DECIMALS), priceUsd, decimalsOf(token), 'down').digits
}

/** What a package brings at the day's CPC price, in smallest units; the other token's amount is zero. */
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
