/** The wallet's list: search, and tokens without a balance on demand (spec sections 2 and 6). */

import { map } from 'nanostores'
import type { Balances } from '#lib/contract/types.ts'
import { type Currency, TOKENS } from '#lib/domain/money/currencies.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { movableUnits, PORTFOLIO_TOKENS } from '#lib/domain/wallet/portfolio.ts'
import { walletTexts } from '#messages/wallet/wallet.ts'
import { notify } from '../platform/toasts.ts'

type State = { search: string; showsAll: boolean }

/** A token of the catalogue with the customer's amounts of it, in smallest units. */
export type WalletLine = {
  token: Currency
  total: bigint
  frozen: bigint
  available: bigint
  /** Parts of the total that are neither available nor frozen. */
  bound: { kind: BoundKind; units: bigint }[]
  canMove: boolean
  /** The value of the total in cents of the display currency; undefined if no price is known. */
  cents: bigint | undefined
}

export function createWallet(showsAll = false) {
  const state = map<State>({ search: '', showsAll })
  return {
    state,
    /** Spaces in the search are ignored (spec section 5). */
    search: (text: string) => state.setKey('search', text.replace(/\s/g, '')),
    showAll: () => state.setKey('showsAll', true),
    /** `action`: the action that this token does not support yet; without it, the toast only says “Coming soon”. */
    notYet: (action?: string) => notify('info', action ? walletTexts.actionComingSoon(action) : walletTexts.comingSoon)
  }
}

const BOUND_KINDS = ['outgoing', 'staked', 'locked', 'reward'] as const
type BoundKind = (typeof BOUND_KINDS)[number]

function boundOf(balance: Balances[string]): WalletLine['bound'] {
  return BOUND_KINDS.map((kind) => ({ kind, units: BigInt(balance[`${kind}Balance`]) })).filter(({ units }) => units > 0n)
}

/** Every token of the catalogue, the largest value first; a token without a balance counts as zero. */
export function walletLines(balances: Balances, prices: Record<string, string>): WalletLine[] {
  const lines = TOKENS.map((token) => {
    const balance = balances[token.code]
    const total = BigInt(balance?.totalBalance ?? 0)
    const frozen = BigInt(balance?.wallet.fundingBalance.frozen_balance ?? 0)
    const spotAndFunding = BigInt(balance?.wallet.spotBalance ?? 0) + BigInt(balance?.wallet.fundingBalance.total ?? 0)
    const bound = balance ? boundOf(balance) : []
    const canMove = balance !== undefined && movableUnits(balance) > 0n
    const price = prices[token.code]
    const cents = price === undefined ? undefined : valueInCents(total, token.code, price)
    return { token, total, frozen, available: spotAndFunding - frozen, bound, canMove, cents }
  })
  return lines.toSorted(byValue)
}

/** Largest value first, then tokens without a price that are held, then the order of the catalogue. */
function byValue(one: WalletLine, other: WalletLine): number {
  const difference = (other.cents ?? 0n) - (one.cents ?? 0n)
  if (difference !== 0n) return difference > 0n ? 1 : -1
  return Number(other.total > 0n) - Number(one.total > 0n)
}

/** The tokens to show: those with a balance, or the portfolio's tokens if no token has one. A search finds every token. */
export function filterLines(lines: WalletLine[], { search, showsAll }: State): WalletLine[] {
  const wanted = search.toLowerCase()
  const plain = (text: string) => text.replace(/\s/g, '').toLowerCase()
  const hasNothing = lines.every(({ total }) => total === 0n)
  return lines.filter(({ token, total }) => {
    if (wanted !== '') return [token.code, token.name, token.subName].some((text) => plain(text).includes(wanted))
    return showsAll || total > 0n || (hasNothing && PORTFOLIO_TOKENS.includes(token.code))
  })
}
