/** The sections of the tax report. It sorts and values movements; the law of the customer's country decides what is taxed. */
import type { LineKind } from '../ledger/reasons.ts'

/** `transfer`: moved in or out, without a change of owner. */
export const TAX_SECTIONS = ['acquisition', 'reward', 'disposal', 'transfer'] as const
export type TaxSection = (typeof TAX_SECTIONS)[number]

/** The section of a statement line. `isIn`: the amount came in. */
export function taxSectionOf(kind: LineKind, isIn: boolean): TaxSection {
  if (kind === 'purchase') return 'acquisition'
  if (kind === 'trade') return isIn ? 'acquisition' : 'disposal'
  if (kind === 'reward' || kind === 'staking') return 'reward'
  return 'transfer'
}
