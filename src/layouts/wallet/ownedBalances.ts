import type { Balances, SupportedTokens } from '#lib/contract/types.ts'
import { NO_PRICES } from '#lib/format/rates/prices.ts'
import { orCode } from '../platform/page.ts'

/** Keeps only the balances that are above zero or named; the others carry no information. */
export function ownedOnly(balances: Balances, named: string[] = []): Balances {
  const isHeld = ({ totalBalance }: Balances[string]) => totalBalance !== '0'
  const held = Object.entries(balances).filter(([code, balance]) => named.includes(code) || isHeld(balance))
  return Object.fromEntries(held.map(([code, balance]) => [code, asShown(balance)]))
}

/** Only the fields that islands read: without names, addresses and pictures the page is a third smaller. */
function asShown({ wallet, ...balance }: Balances[string]): Balances[string] {
  const { totalBalance, rewardBalance, stakedBalance, lockedBalance, outgoingBalance } = balance
  const shown = { wallet, totalBalance, rewardBalance, stakedBalance, lockedBalance, outgoingBalance }
  // The cast is safe: the islands' stores get whole balances with their first fetch.
  return shown as Balances[string]
}

/** Returns the prices, or `NO_PRICES` if they are unavailable: amounts are shown either way. */
export async function orNoPrices(asked: Promise<SupportedTokens>): Promise<SupportedTokens> {
  return (await orCode(asked)).data ?? NO_PRICES
}

/** Only the prices of the tokens in these balances. */
export function pricesFor(tokens: SupportedTokens, balances: Balances): SupportedTokens {
  const isNamed = ([code]: [string, unknown]) => code in balances
  return { ...tokens, supportedTokens: {}, prices: Object.fromEntries(Object.entries(tokens.prices).filter(isNamed)) }
}
