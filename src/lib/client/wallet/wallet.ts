/** The wallet's list: search, hiding what is empty, and what is not open yet (spec sections 2 and 6). */

import { map } from 'nanostores'
import type { Balances } from '#lib/contract/types.ts'
import { type Currency, TOKENS } from '#lib/domain/money/currencies.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { walletTexts } from '#lib/messages/en/wallet/wallet.ts'
import { notify } from '../platform/notices.ts'

type State = { search: string; hidesZero: boolean }

/** A token of the catalogue with what the customer has of it, in smallest units. */
export type WalletLine = {
  token: Currency
  total: bigint
  frozen: bigint
  available: bigint
  /** Staked, or locked until it vests. */
  staked: bigint
  reward: bigint
  /** What the total is worth in US cents; undefined where no price is known. */
  cents: bigint | undefined
}

export function createWallet() {
  const state = map<State>({ search: '', hidesZero: false })
  return {
    state,
    /** Spaces in the search are ignored (spec section 5). */
    search: (text: string) => state.setKey('search', text.replace(/\s/g, '')),
    hideZero: (hidesZero: boolean) => state.setKey('hidesZero', hidesZero),
    notYet: () => notify('info', walletTexts.comingSoon)
  }
}

/** Every token of the catalogue; a token without a balance counts as zero. */
export function walletLines(balances: Balances, prices: Record<string, string>): WalletLine[] {
  return TOKENS.map((token) => {
    const balance = balances[token.code]
    const total = BigInt(balance?.totalBalance ?? 0)
    const frozen = BigInt(balance?.wallet.fundingBalance.frozen_balance ?? 0)
    const spotAndFunding = BigInt(balance?.wallet.spotBalance ?? 0) + BigInt(balance?.wallet.fundingBalance.total ?? 0)
    const staked = BigInt(balance?.stakedBalance ?? 0) + BigInt(balance?.lockedBalance ?? 0)
    const reward = BigInt(balance?.rewardBalance ?? 0)
    const price = prices[token.code]
    const cents = price === undefined ? undefined : valueInCents(total, token.code, price)
    return { token, total, frozen, available: spotAndFunding - frozen, staked, reward, cents }
  })
}

export function filterLines(lines: WalletLine[], { search, hidesZero }: State): WalletLine[] {
  const wanted = search.toLowerCase()
  const plain = (text: string) => text.replace(/\s/g, '').toLowerCase()
  return lines.filter(({ token, total }) => {
    if (hidesZero && total === 0n) return false
    return [token.code, token.name, token.subName].some((text) => plain(text).includes(wanted))
  })
}
