import type { Chain } from '#lib/domain/chains/chains.ts'

/** The minimum fee of the CPC chain, which is also the usual one: 1 CPC. */
export const CPC_FEE = 100_000_000n

/** The highest network fee of a payment, in smallest units of the chain's own token: above it a price is wrong, or somebody has mistyped it. */
export const MOST_NETWORK_FEE: Record<Chain, bigint> = {
  bitcoin: 500_000n,
  ethereum: 50_000_000_000_000_000n,
  cpc: 1_000_000_000n
}
