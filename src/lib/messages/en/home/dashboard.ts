/** The figures of the dashboard. Source: spec sections 2 and 4. */
export const dashboardTexts = {
  total: (currency: string) => `Total money you have (${currency})`,
  staked: 'Staked',
  locked: 'Locked',
  rewards: 'Rewards',
  staking: (currency: string) => `Staking (${currency})`,
  stakingCost: 'What you paid for completed packages with staking.',
  stakingCostOf: (packages: number) => `for ${packages === 1 ? '1 package' : `${packages} packages`}`,
  youPaid: 'You paid',
  allStakes: 'All stakes',
  calendar: 'Calendar',
  portfolio: 'Portfolio',
  caption: 'Your tokens with balance, value and unit price',
  token: 'Token',
  balance: 'Balance',
  value: 'Value',
  price: 'Price',
  moveRewards: 'Move rewards to spot',
  noPrice: 'no price',
  parts: { staked: 'staked', locked: 'locked' },
  rewardOf: { CPC: 'From invitees', PTC: 'From staking' } as Record<string, string>,
  allTokens: 'All 24 tokens'
} as const
