/** The chains that coins come in and go out by, and the tokens of each. Source of the networks' names: spec section 9. */
export const CHAINS = ['bitcoin', 'ethereum', 'cpc'] as const
export type Chain = (typeof CHAINS)[number]

const CHAIN_OF: Record<string, Chain> = { BTC: 'bitcoin', ETH: 'ethereum', USDC: 'ethereum', CPC: 'cpc' }

/** The chain that a token moves on; undefined where it cannot be deposited or withdrawn. */
export function chainOf(token: string): Chain | undefined {
  return CHAIN_OF[token]
}
