/** The list of the orders. Source: spec sections 2 and 4. */
export const historyPageTexts = {
  title: 'Transaction History',
  transactions: 'Transactions',
  order: 'Order',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  empty: {
    deposit: { title: 'No deposits yet', about: 'Coins that arrive at your addresses are listed here.' },
    withdrawal: { title: 'No withdrawals yet', about: 'What you send out of your wallet is listed here.' }
  },
  noMatch: 'Nothing matches',
  token: 'Token',
  allTokens: 'All tokens',
  allStates: 'All states',
  statuses: { PENDING: 'Pending', TX_CONFIRMED: 'Confirmed', CREDITED: 'Credited', CANCELLED: 'Cancelled' },
  filter: 'Filter',
  csv: 'CSV',
  csvLabel: 'Download as CSV',
  notices: {
    cancelled: 'Withdrawal cancelled. The amount is yours again.',
    tooLate: 'This withdrawal can no longer be cancelled.',
    sender: 'Thank you. The sender is kept with your deposit.',
    refused: 'Please give the full name, and of somebody else where they live.'
  },
  none: 'No orders yet',
  noneAbout: 'The packages that you buy are listed here, with every figure.',
  seePackages: 'See the packages',
  caption: 'Your orders, newest first',
  package: 'Package',
  date: 'Date',
  total: 'Total to pay',
  tokens: 'Tokens',
  staking: 'Staking',
  stakingTerm: (months: number) => `${months} Months`,
  bonusRate: (rate: string) => `${rate} bonus`,
  stakingRate: (rate: string) => `${rate} a year`,
  noStaking: 'No Staking',
  status: 'Status',
  action: 'Action',
  view: 'View',
  viewOrder: (reference: string) => `View order ${reference}`
} as const
