/** The parts of a balance where sums are shown. */
import type { Part } from '#lib/domain/wallet/portfolio.ts'

export const partTexts: Record<Part, string> = {
  available: 'Available',
  frozen: 'Frozen',
  outgoing: 'Outgoing',
  staked: 'Staked',
  locked: 'Locked',
  reward: 'Rewards'
}
