/** The page of one token. */
export const tokenTexts = {
  back: 'Wallet',
  total: 'Total',
  at: 'at',
  noPrice: 'There is no price of it at the moment.',
  buy: (token: string) => `Buy ${token}`,
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transfer: 'Transfer',
  orderHistory: 'Order history',
  kinds: 'Balance by kind',
  kindsAbout: 'Press a figure to see every line that it is the sum of.',
  activity: 'Activity',
  noActivity: 'What comes in and goes out is listed here.',
  activityLater: 'The newest lines cannot be shown at the moment. Please try again in a minute.',
  allActivity: 'All activity',
  allLines: 'Statement'
} as const
