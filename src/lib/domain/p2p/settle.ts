/**
 * The amounts of a trade, in smallest units of the asset (CPC) and of the settlement currency (USDC). A price is for one
 * whole coin.
 */
import { currencyOf, decimalsOf } from '../money/currencies.ts'
import {
  type Decimal,
  decimal,
  divide,
  multiply,
  quotient,
  readDecimal,
  toDecimal,
  toUnits,
  writeDecimal
} from '../money/decimal.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from './order.ts'

/** Digits of a price after the point. */
export const PRICE_PLACES = 8
const WHOLE_BASIS_POINTS = 10_000n

/** Smallest units of the settlement currency per smallest unit of the asset at a price of 1, as text: 0.01. */
export const UNITS_AT_ONE = writeDecimal({ digits: 1n, scale: decimalsOf(P2P_ASSET) - decimalsOf(P2P_SETTLEMENT) })

/** A price as text, at most 8 places and above zero; undefined for anything else. */
export function readPrice(text: string): Decimal | undefined {
  const price = readDecimal(text)
  return price && price.scale <= PRICE_PLACES && price.digits > 0n ? price : undefined
}

type Pair = { assetCurrency: string; settlementCurrency: string; pricePerCoin: string }

/** The amount that the buyer pays, rounded up. */
export function grossOf({ assetCurrency, settlementCurrency, pricePerCoin }: Pair, amount: bigint): bigint {
  const exact = multiply(toDecimal(amount, decimalsOf(assetCurrency)), decimal(pricePerCoin))
  return toUnits(exact, decimalsOf(settlementCurrency), 'up')
}

/** The seller's part of a gross amount, rounded down. */
export function netOf(gross: bigint, feeBasisPoints: number): bigint {
  return divide(gross * (WHOLE_BASIS_POINTS - BigInt(feeBasisPoints)), WHOLE_BASIS_POINTS, 'down')
}

export type Settlement = { gross: bigint; net: bigint; fee: bigint }

/**
 * The amounts that a fill of `amount` settles. `grossBefore` is the sum that earlier fills have paid. The seller's part and the fee
 * are computed from the sum of all fills, so that splitting an order costs neither the seller nor us a unit. The buyer's amount is
 * rounded up at each fill.
 */
export function settle(order: Pair & { feeBasisPoints: number; grossBefore: bigint }, amount: bigint): Settlement {
  const gross = grossOf(order, amount)
  const { feeBasisPoints, grossBefore } = order
  const net = netOf(grossBefore + gross, feeBasisPoints) - netOf(grossBefore, feeBasisPoints)
  return { gross, net, fee: gross - net }
}

/** The price of one coin in the settlement currency, with 8 places, from two USD prices. */
export function referencePrice(assetUsd: string, settlementUsd: string): Decimal {
  return quotient(decimal(assetUsd), decimal(settlementUsd), PRICE_PLACES, 'halfUp')
}

/** The distance of a price from the reference in basis points, rounded away from zero; negative if the price is below. */
export function differenceOf(price: Decimal, reference: Decimal): number {
  const [own, other] = [price.digits * 10n ** BigInt(reference.scale), reference.digits * 10n ** BigInt(price.scale)]
  const distance = own > other ? own - other : other - own
  const points = Number(divide(distance * WHOLE_BASIS_POINTS, other, 'up'))
  return own < other && points > 0 ? -points : points
}

const FARTHEST = 5000
const WARNS_FROM = 1000

/** A customer whose whitelist is on trades this near to the reference, in hundredths of a percent. */
const FARTHEST_LISTED = 500

/** False if a customer whose whitelist is on may not trade at this price: coins would leave to somebody who is not on it. */
export function isNearEnough(price: Decimal, reference: Decimal): boolean {
  return Math.abs(differenceOf(price, reference)) <= FARTHEST_LISTED
}

/** `refused` beyond 50 % of the reference, `far` from 10 % on. */
export function checkPrice(price: Decimal, reference: Decimal): 'near' | 'far' | 'refused' {
  const distance = Math.abs(differenceOf(price, reference))
  return distance > FARTHEST ? 'refused' : distance >= WARNS_FROM ? 'far' : 'near'
}

/** The average price of one coin over several trades of CPC against USDC, with the digits of a shown price; undefined without trades. */
export function averagePrice(trades: { amount: bigint; gross: bigint }[]): Decimal | undefined {
  const sum = (of: 'amount' | 'gross') => trades.reduce((all, trade) => all + trade[of], 0n)
  const amount = sum('amount')
  if (amount === 0n) return undefined
  const [paid, coins] = [toDecimal(sum('gross'), decimalsOf(P2P_SETTLEMENT)), toDecimal(amount, decimalsOf(P2P_ASSET))]
  return quotient(paid, coins, currencyOf(P2P_ASSET).priceDigits, 'halfUp')
}

/** The difference between an amount's cost at its price and at the reference price, in smallest units of the settlement currency. */
export function distanceOf(pair: Pair, amount: bigint, reference: Decimal): bigint {
  const [own, other] = [grossOf(pair, amount), grossOf({ ...pair, pricePerCoin: writeDecimal(reference) }, amount)]
  return own > other ? own - other : other - own
}
