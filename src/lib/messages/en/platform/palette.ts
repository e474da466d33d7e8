/** The command palette, which finds pages, tokens and orders by name. */
export const paletteTexts = {
  title: 'Search',
  placeholder: 'Page, token, order, or: withdraw 0.01 btc',
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

/** The verbs that the palette knows; a customer types the beginning of one of the `words`. */
export const verbTexts = {
  opens: 'Opens the page',
  withdraw: { words: ['withdraw', 'send'], label: (what: string) => `Withdraw ${what}` },
  deposit: { words: ['deposit', 'receive'], label: (what: string) => `Deposit ${what}` },
  buy: { words: ['buy', 'purchase'], label: (what: string) => `Buy ${what}` },
  pay: { words: ['pay'], label: (euro: string) => `Pay ${euro}` },
  trade: { words: ['trade', 'sell', 'p2p'], label: 'Trade with others (P2P)' },
  transfer: { words: ['transfer', 'move'], label: 'Transfer between spot and funding' }
} as const
