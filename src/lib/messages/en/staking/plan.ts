/** The payouts of a package with staking or bonus, shown before it is bought. */
import type { PayoutKind } from '#lib/domain/staking/schedule.ts'

export const planTexts = {
  title: 'What is paid when',
  about: (day: string) => `If your payment is booked on ${day}. The days count from the one on which the bank books it.`,
  show: 'What is paid when',
  none: 'Without staking nothing is paid later: choose a term to see what comes when.',
  reward: 'Rewards over the term',
  rewardAbout: 'Non-compounding, paid quarterly',
  kinds: { reward: 'Reward', principal: 'Staked tokens', bonus: 'Bonus' } satisfies Record<PayoutKind, string>,
  staking: 'Staking',
  noStaking: 'No Staking',
  term: (months: number, rate: string) => `${months} Months, ${rate} a year`
} as const
