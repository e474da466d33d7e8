/** Where a movement stands in the report for taxes. It sorts and values; what of it is taxed is for the law of the customer's country. */
import type { LineKind } from '../ledger/reasons.ts'

/** `transfer`: moved in or out, without a change of owner. */
export const TAX_SECTIONS = ['acquisition', 'reward', 'disposal', 'transfer'] as const
export type TaxSection = (typeof TAX_SECTIONS)[number]

/** By the kind of the statement's line, and whether the amount came in. */
export function taxSectionOf(kind: LineKind, isIn: boolean): TaxSection {
  if (kind === 'purchase') return 'acquisition'
  if (kind === 'trade') return isIn ? 'acquisition' : 'disposal'
  if (kind === 'reward' || kind === 'staking') return 'reward'
  return 'transfer'
}
