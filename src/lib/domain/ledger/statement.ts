/** The statement of a customer's accounts: which accounts a figure sums up. */
import { CUSTOMER_KINDS, type CustomerKind } from './holdings.ts'

/** `total` and `available` are sums of accounts, as in the wallet; a move between accounts of one sum does not change it. */
export const STATEMENT_ACCOUNTS = [
  'total',
  'available',
  'spot',
  'funding',
  'frozen',
  'outgoing',
  'staked',
  'locked',
  'reward'
] as const
export type StatementAccount = (typeof STATEMENT_ACCOUNTS)[number]

export const ACCOUNT_KINDS: Record<StatementAccount, CustomerKind[]> = {
  total: [...CUSTOMER_KINDS],
  available: ['spot', 'funding'],
  spot: ['spot'],
  funding: ['funding'],
  frozen: ['frozen'],
  outgoing: ['outgoing'],
  staked: ['staked'],
  locked: ['locked'],
  reward: ['reward']
}

export { LINE_KINDS, type LineKind } from './reasons.ts'
