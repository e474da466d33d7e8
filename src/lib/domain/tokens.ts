/** The token catalogue (spec section 9) and how many digits each token's smallest unit has */

export type Token = { code: string; name: string; subName: string; decimals: number }

const DEFAULT_DECIMALS = 18

export const TOKENS: readonly Token[] = [
  { code: 'CPC', name: 'CPC', subName: 'CP Coin', decimals: 8 },
  { code: 'PTC', name: 'PTC', subName: 'Project Token', decimals: 8 },
  { code: 'USDC', name: 'USDC', subName: 'USD Coin', decimals: 6 },
  { code: 'BTC', name: 'BTC', subName: 'Bitcoin', decimals: 8 },
  { code: 'ETH', name: 'ETH', subName: 'Ethereum', decimals: 18 }
]

/** Digits of the smallest unit; the spec's default of 18 where a token is unknown. */
export function decimalsOf(code: string): number {
  return TOKENS.find((token) => token.code === code)?.decimals ?? DEFAULT_DECIMALS
}
