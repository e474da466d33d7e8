/** The statement of a customer's accounts: what a figure is the sum of. */
import type { CustomerKind } from './holdings.ts'

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

export { LINE_KINDS, type LineKind } from './reasons.ts'
