/** The list of the orders. Source: spec sections 2 and 4. */
export const historyPageTexts = {
  title: 'Transaction History',
  transactions: 'Transactions',
  order: 'Order',
  none: 'No orders yet',
  noneAbout: 'The packages that you buy are listed here, with every figure.',
  seePackages: 'See the packages',
  caption: 'Your orders, newest first',
  package: 'Package',
  date: 'Date (UTC)',
  total: 'Total to pay',
  tokens: 'Tokens',
  staking: 'Staking',
  stakingTerm: (months: number) => `${months} Months`,
  stakingRate: (rate: string) => `${rate} a year`,
  noStaking: 'No Staking',
  status: 'Status',
  action: 'Action',
  view: 'View',
  viewOrder: (reference: string) => `View order ${reference}`
} as const
