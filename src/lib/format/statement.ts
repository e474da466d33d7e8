/** The lines of a statement as the customer reads them. */

import type { LineKind, StatementAccount } from '#lib/domain/ledger/statement.ts'
import { BRAND } from '../domain/brand.ts'
import { formatExactUnits } from './amount.ts'

export const ACCOUNT_LABELS: Record<StatementAccount, string> = {
  total: 'Total',
  available: 'Available',
  spot: 'Spot',
  funding: 'Funding',
  frozen: 'Frozen',
  staked: 'Staked',
  reward: 'Rewards'
}

/** The accounts that each figure sums up. */
export const ACCOUNT_EXPLANATIONS: Record<StatementAccount, string> = {
  total: 'Spot and funding together, with what is frozen. Transfers between them change nothing here.',
  available: 'Spot and funding together, without what is frozen.',
  spot: 'What you can withdraw or transfer to funding.',
  funding: 'What you can sell peer to peer, without what is frozen for your orders.',
  frozen: 'What your open peer-to-peer orders hold.',
  staked: 'What your staked packages lock until their term ends.',
  reward: 'What the people you invited brought you.'
}

export const KIND_LABELS: Record<LineKind, string> = {
  purchase: 'Token purchase',
  reward: 'Referral reward',
  move: 'Transfer between your accounts',
  adjustment: 'Adjustment'
}

type Counterpart = { owner: 'you' | 'house' | 'customer'; account: string }

export function counterpartLabel({ owner, account }: Counterpart): string {
  if (owner === 'you') return `Your ${account} account`
  return owner === 'house' ? BRAND.name : 'Another customer'
}

/** `+1,000.5` or `−3`: every digit, with its sign. */
export function formatSigned(units: string, token: string): string {
  const isNegative = units.startsWith('-')
  return `${isNegative ? '−' : '+'}${formatExactUnits(isNegative ? units.slice(1) : units, token)}`
}
