/** The figures of the dashboard. Source: spec sections 2 and 4. */
export const dashboardTexts = {
  total: (currency: string) => `Total money you have (${currency})`,
  buy: 'Buy',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transfer: 'Transfer',
  free: 'Spot and funding',
  staked: 'Staked',
  rewards: 'Rewards',
  staking: (currency: string) => `Staking (${currency})`,
  stakingCost: 'What you paid for completed packages with staking.',
  worthNow: 'Worth now',
  stakingCostOf: (packages: number) =>
    `What you paid for ${packages === 1 ? 'your completed package' : `${packages} completed packages`} with staking.`,
  kyc: 'KYC status',
  portfolio: 'Portfolio',
  caption: 'Your tokens with balance, value and unit price',
  token: 'Token',
  balance: 'Balance',
  value: 'Value',
  price: 'Price',
  moveRewards: 'Move rewards to spot',
  rewardsAbout: '5% of what the people you invite spend, in CPC.',
  noPrice: 'no price',
  stakedPart: 'staked',
  rewardOf: { CPC: 'From people you invited', PTC: 'From staking' } as Record<string, string>,
  allTokens: 'All 24 tokens'
} as const
