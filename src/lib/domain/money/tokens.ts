/** The token catalogue (spec section 9) and how many digits each token's smallest unit has. */

export type Token = { code: string; name: string; subName: string; decimals: number }

const DEFAULT_DECIMALS = 18

function token(code: string, subName: string, decimals = DEFAULT_DECIMALS, name = code): Token {
  return { code, name, subName, decimals }
}

export const TOKENS: readonly Token[] = [
  token('CPC', 'CP Coin', 8),
  token('PTC', 'Project Token', 8),
  token('BTC', 'Bitcoin', 8),
  token('SOL', 'Solana'),
  token('ETH', 'Ethereum', 18),
  token('BNB', 'BNB Chain'),
  token('USDC', 'USD Coin', 6),
  token('XRP', 'XRP Ledger'),
  token('stETH', 'Lido Staked Ether'),
  token('TON_COIN', 'Toncoin', DEFAULT_DECIMALS, 'TON'),
  token('SHIBA', 'Shiba Inu', DEFAULT_DECIMALS, 'SHIB'),
  token('wstETH', 'Wrapped stETH'),
  token('WBTC', 'Wrapped Bitcoin'),
  token('WETH', 'Wrapped Ether'),
  token('BLUR', 'Blur'),
  token('LINK', 'Chainlink'),
  token('UNI', 'Uniswap'),
  token('DAI', 'Dai'),
  token('LEO', 'LEO Token'),
  token('NEAR', 'NEAR Protocol'),
  token('PEPE', 'Pepe'),
  token('weETH', 'Wrapped eETH'),
  token('FET', 'Fetch.ai'),
  token('FDUSD', 'First Digital USD')
]

export function tokenOf(code: string): Token | undefined {
  return TOKENS.find((token) => token.code === code)
}

/** Digits of the smallest unit; the spec's default of 18 where a token is unknown. */
export function decimalsOf(code: string): number {
  return tokenOf(code)?.decimals ?? DEFAULT_DECIMALS
}

/** Where deposits, withdrawals and orders are open (spec section 6). */
const DEPOSIT = new Set(['CPC', 'ETH', 'BTC', 'USDC'])
const WITHDRAW = new Set(['CPC', 'ETH', 'BTC'])
const ORDER_HISTORY = new Set(['CPC', 'PTC'])

export const mayDeposit = (code: string): boolean => DEPOSIT.has(code)
export const mayWithdraw = (code: string): boolean => WITHDRAW.has(code)
export const hasOrderHistory = (code: string): boolean => ORDER_HISTORY.has(code)
