/** The payouts of a package with staking or bonus, shown before it is bought. */
import type { PayoutKind } from '#lib/domain/staking/schedule.ts'

export const planTexts = {
  title: 'Payout schedule',
  about: (day: string) => `If your payment is booked on ${day}. All dates count from the day on which the bank books it.`,
  show: 'Payout schedule',
  none: 'Without staking there are no payouts later: choose a term to see what you would get.',
  reward: 'Rewards over the term',
  rewardAbout: 'Non-compounding, paid quarterly',
  kinds: { reward: 'Reward', principal: 'Staked tokens', bonus: 'Bonus' } satisfies Record<PayoutKind, string>,
  staking: 'Staking',
  noStaking: 'No Staking',
  term: (months: number, rate: string) => `${months} Months, ${rate} a year`
} as const
