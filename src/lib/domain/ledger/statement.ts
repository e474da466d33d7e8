/** The statement of a customer's accounts: what a figure is the sum of. */
import type { CustomerKind, HouseKind } from './holdings.ts'

/** `total` and `available` are sums of accounts, as the wallet shows them; a move within one of them changes nothing. */
export const STATEMENT_ACCOUNTS = ['total', 'available', 'spot', 'funding', 'frozen', 'staked', 'reward'] as const
export type StatementAccount = (typeof STATEMENT_ACCOUNTS)[number]

export const ACCOUNT_KINDS: Record<StatementAccount, CustomerKind[]> = {
  total: ['spot', 'funding', 'frozen'],
  available: ['spot', 'funding'],
  spot: ['spot'],
  funding: ['funding'],
  frozen: ['frozen'],
  staked: ['staked'],
  reward: ['reward']
}

/** What a line is about, as the customer knows it. */
export const LINE_KINDS = ['purchase', 'reward', 'move', 'adjustment'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** The kind of a line, from the reason of its booking and the account that it is on. */
export function lineKind(reason: string, counterpart: CustomerKind | HouseKind): LineKind {
  if (reason === 'moved_between_accounts') return 'move'
  if (reason === 'order_completed') return counterpart === 'rewards' ? 'reward' : 'purchase'
  return 'adjustment'
}
