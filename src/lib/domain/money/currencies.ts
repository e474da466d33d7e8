/** Every currency of the product (spec section 9): the tokens of the catalogue, EUR and USD. */

export type Currency = {
  code: string
  name: string
  subName: string
  kind: 'token' | 'fiat'
  /** Digits after the point of the smallest unit. */
  decimals: number
  /** Digits after the point of a shown amount. */
  shownDigits: number
  /** Digits after the point of the shown price of one, in USD. */
  priceDigits: number
}

/** The specification's default if a token's digits are unknown; only for display. */
const DISPLAY_DECIMALS = 18
const TOKEN_DIGITS = 3
const MONEY_DIGITS = 2

type Details = Partial<Pick<Currency, 'name' | 'decimals' | 'priceDigits'>>

function token(code: string, subName: string, details: Details = {}): Currency {
  return {
    code,
    name: code,
    subName,
    kind: 'token',
    decimals: DISPLAY_DECIMALS,
    shownDigits: TOKEN_DIGITS,
    priceDigits: MONEY_DIGITS,
    ...details
  }
}

function fiat(code: string, name: string): Currency {
  const digits = { decimals: MONEY_DIGITS, shownDigits: MONEY_DIGITS, priceDigits: MONEY_DIGITS }
  return { code, name: code, subName: name, kind: 'fiat', ...digits }
}

/** The token catalogue, in the order of the wallet. */
export const TOKENS: readonly Currency[] = [
  token('CPC', 'CP Coin', { decimals: 8, priceDigits: 5 }),
  token('PTC', 'Project Token', { decimals: 8, priceDigits: 6 }),
  token('BTC', 'Bitcoin', { decimals: 8 }),
  token('SOL', 'Solana'),
  token('ETH', 'Ethereum'),
  token('BNB', 'BNB Chain'),
  token('USDC', 'USD Coin', { decimals: 6 }),
  token('XRP', 'XRP Ledger'),
  token('stETH', 'Lido Staked Ether'),
  token('TON_COIN', 'Toncoin', { name: 'TON' }),
  token('SHIBA', 'Shiba Inu', { name: 'SHIB' }),
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

const CURRENCIES = new Map([...TOKENS, fiat('EUR', 'Euro'), fiat('USD', 'US Dollar')].map((one) => [one.code, one]))

/** A token of the catalogue; undefined for any other code, EUR and USD included. */
export function findToken(code: string): Currency | undefined {
  const found = CURRENCIES.get(code)
  return found?.kind === 'token' ? found : undefined
}

/** Throws a RangeError for a code that is not in the registry: its amounts could not be read correctly. */
export function currencyOf(code: string): Currency {
  const found = CURRENCIES.get(code)
  if (!found) throw new RangeError(`Not a currency: "${code}"`)
  return found
}

/** Digits of the smallest unit. Throws a RangeError for an unknown code. */
export function decimalsOf(code: string): number {
  return currencyOf(code).decimals
}
