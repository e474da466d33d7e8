/** The chains for deposits and withdrawals, and the tokens on each. Source: spec sections 6 and 9. */
export const CHAINS = ['bitcoin', 'ethereum', 'cpc'] as const
export type Chain = (typeof CHAINS)[number]

export function isChain(text: string): text is Chain {
  return (CHAINS as readonly string[]).includes(text)
}

/** The tokens that can be deposited, in the order in which they are offered. */
export const DEPOSITABLE = ['USDC', 'CPC', 'ETH', 'BTC'] as const
export type ChainToken = (typeof DEPOSITABLE)[number]

/** A value for each of them. */
export function inEachToken<T>(of: (token: ChainToken) => T): Record<ChainToken, T> {
  return Object.fromEntries(DEPOSITABLE.map((token) => [token, of(token)])) as Record<ChainToken, T>
}

/** The tokens that can be withdrawn, in the order in which they are offered. */
export const WITHDRAWABLE = ['CPC', 'ETH', 'BTC', 'USDC'] as const satisfies ChainToken[]

const CHAIN_OF: Record<ChainToken, Chain> = { BTC: 'bitcoin', ETH: 'ethereum', USDC: 'ethereum', CPC: 'cpc' }

/** The name of each chain's network, for customers and in the API. */
export const NETWORKS: Record<Chain, string> = { bitcoin: 'BTC', ethereum: 'ETH', cpc: 'CPCx0' }

export function isChainToken(token: string): token is ChainToken {
  return Object.hasOwn(CHAIN_OF, token)
}

export function chainOf(token: ChainToken): Chain {
  return CHAIN_OF[token]
}

/** The token in which a chain's network fees are paid. */
export const NATIVE: Record<Chain, ChainToken> = { bitcoin: 'BTC', ethereum: 'ETH', cpc: 'CPC' }
