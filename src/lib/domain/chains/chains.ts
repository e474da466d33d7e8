/** The chains that coins come in and go out by, and the tokens of each. Source: spec sections 6 and 9. */
export const CHAINS = ['bitcoin', 'ethereum', 'cpc'] as const
export type Chain = (typeof CHAINS)[number]

/** The tokens that can be deposited, in the order of the choice. */
export const DEPOSITABLE = ['USDC', 'CPC', 'ETH', 'BTC'] as const
export type ChainToken = (typeof DEPOSITABLE)[number]

/** The tokens that can be withdrawn, in the order of the choice. */
export const WITHDRAWABLE = ['CPC', 'ETH', 'BTC', 'USDC'] as const satisfies ChainToken[]

const CHAIN_OF: Record<ChainToken, Chain> = { BTC: 'bitcoin', ETH: 'ethereum', USDC: 'ethereum', CPC: 'cpc' }

/** Each chain's network as customers and the wire name it. */
export const NETWORKS: Record<Chain, string> = { bitcoin: 'BTC', ethereum: 'ETH', cpc: 'CPCx0' }

export function isChainToken(token: string): token is ChainToken {
  return Object.hasOwn(CHAIN_OF, token)
}

export function chainOf(token: ChainToken): Chain {
  return CHAIN_OF[token]
}

/** The token in which a chain's network fees are paid. */
export const NATIVE: Record<Chain, ChainToken> = { bitcoin: 'BTC', ethereum: 'ETH', cpc: 'CPC' }
