import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import type { Config } from '../platform/config.ts'
import type { RatesSource } from '../rates/index.ts'

export type P2pSettings = {
  rates: RatesSource
  /** The seller's fee of the gross settlement, for orders listed from now on. */
  feeBasisPoints: number
  /** The smallest order, and the smallest part that an order can be sold in, in smallest units of the asset. */
  smallestAmount: bigint
  /** USD cents that a customer may trade away from the reference price in 24 hours. */
  dayCents: bigint
}

export function p2pSettings({ feeBasisPoints, smallestCoins }: Config['p2p'], rates: RatesSource, dayCents: bigint): P2pSettings {
  return { rates, feeBasisPoints, dayCents, smallestAmount: BigInt(smallestCoins) * powerOfTen(decimalsOf(P2P_ASSET)) }
}
