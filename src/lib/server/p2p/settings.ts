import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { type Asked, type Environment, wholeNumber } from '../platform/config.ts'
import type { RatesSource } from '../rates/index.ts'

export type P2pSettings = {
  rates: RatesSource
  /** The seller's fee in basis points of the gross settlement, for orders listed from now on. */
  feeBasisPoints: number
  /** The smallest order, and the smallest part that an order can be sold in, in smallest units of the asset. */
  smallestAmount: bigint
  /** USD cents that a customer may trade away from the reference price in 24 hours. */
  dayCents: bigint
}

/** The seller's fee, and the smallest order in whole CPC. */
export type P2pConfig = { feeBasisPoints: number; smallestCoins: number }

export function readP2pConfig(env: Environment, { problems }: Asked): P2pConfig {
  return {
    feeBasisPoints: wholeNumber(env, 'P2P_FEE_BASIS_POINTS', 100, [0, 2000], problems),
    smallestCoins: wholeNumber(env, 'P2P_SMALLEST_CPC', 10, [1, 1_000_000], problems)
  }
}

export function p2pSettings({ feeBasisPoints, smallestCoins }: P2pConfig, rates: RatesSource, dayCents: bigint): P2pSettings {
  return { rates, feeBasisPoints, dayCents, smallestAmount: BigInt(smallestCoins) * powerOfTen(decimalsOf(P2P_ASSET)) }
}
