/** The page of one token. */
export const tokenTexts = {
  back: 'Wallet',
  total: 'Total',
  at: 'at',
  noPrice: 'There is no price for it at the moment.',
  buy: (token: string) => `Buy ${token}`,
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transfer: 'Transfer',
  orderHistory: 'Order history',
  kinds: 'Balance by type',
  kindsAbout: 'Press a figure to see every line that adds up to it.',
  activity: 'Activity',
  noActivity: 'What comes in and goes out will appear here.',
  activityLater: 'The latest activity cannot be shown at the moment. Please try again in a minute.',
  allActivity: 'All activity',
  allLines: 'Statement'
} as const
