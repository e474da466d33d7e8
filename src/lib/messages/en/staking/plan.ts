/** The payouts of a package with staking or bonus, shown before it is bought. */

export const planTexts = {
  title: 'Payout plan',
  about: (day: string) => `Counted from a payment received on ${day}. Yours counts from the day on which it is received.`,
  none: 'Without staking there are no payouts later: choose a term to see what you would get.',
  all: 'All payouts',
  unlocked: (day: string) => `Unlocked ${day}`,
  means: 'What staking means',
  meanings: [
    ['Locked for the term.', 'Staked tokens can neither be moved nor withdrawn before it ends.'],
    ['Paid each quarter, in the token.', 'What that is worth in dollars follows its price.'],
    ['Back at the end.', 'The staked amount returns to your wallet on the day on which the term ends.']
  ],
  reward: 'Rewards over the term',
  rewardAbout: 'Non-compounding, paid quarterly',
  staking: 'Staking',
  noStaking: 'No Staking',
  months: (months: number) => `${months} Months`,
  term: (months: number, rate: string) => `${months} Months, ${rate} a year`
} as const
