/** The list of the orders. Source: spec sections 2 and 4. */
export const historyPageTexts = {
  title: 'Transaction History',
  transactions: 'Transactions',
  order: 'Order',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  empty: {
    deposit: { title: 'No deposits yet', about: 'Coins sent to your addresses will appear here.' },
    withdrawal: { title: 'No withdrawals yet', about: 'What you send from your wallet will appear here.' }
  },
  noMatch: 'No matches',
  token: 'Token',
  allTokens: 'All tokens',
  allStates: 'All statuses',
  statuses: { PENDING: 'Pending', TX_CONFIRMED: 'Confirmed', CREDITED: 'Credited', CANCELLED: 'Cancelled' },
  filter: 'Filter',
  csv: 'CSV',
  csvLabel: 'Download as CSV',
  notices: {
    cancelled: 'Withdrawal cancelled. The amount is back in your wallet.',
    tooLate: 'This withdrawal can no longer be cancelled.',
    cancelAsked:
      'This network is paused. Your wish to cancel is noted: you get the amount back as soon as it is certain that nothing was sent.',
    sender: 'Thank you. The sender is saved with your deposit.',
    refused: 'Please enter the full name and, for someone else, where they live.'
  },
  none: 'No orders yet',
  noneAbout: 'The packages you buy will appear here, with every figure.',
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
