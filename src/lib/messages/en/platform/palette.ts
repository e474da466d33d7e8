/** The command palette, which finds pages, tokens and orders by name. */
export const paletteTexts = {
  title: 'Search',
  placeholder: 'Page, token or order',
  results: 'Results',
  none: 'No matches.',
  pages: 'Page',
  token: 'Token',
  order: 'Order',
  statement: 'Statement',
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  rewards: 'Referral rewards',
  settings: 'Settings',
  security: 'Security',
  buy: (token: string) => `Buy ${token}`,
  notices: 'Notices',
  keys: '↑ ↓ to choose, Enter to open, Esc to close'
} as const
