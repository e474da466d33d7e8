/** The list of the wallet. Source: spec sections 2 and 6. */
export const walletPageTexts = {
  total: 'Total money you have (USD)',
  search: 'Search a token',
  hideZero: 'Hide zero balances',
  shown: (tokens: number) => `${tokens === 1 ? '1 token' : `${tokens} tokens`} shown`,
  availableBalance: 'Available Balance',
  frozenBalance: 'Frozen Balance',
  noMatch: 'No token matches',
  searchElse: 'Search for something else.',
  showZeroOrSearchElse: 'Show zero balances again, or search for something else.',
  caption: 'Your tokens: total, available and frozen balance',
  crypto: 'Crypto',
  totalBalance: 'Total',
  action: 'Action',
  pressFigure: 'Press a figure to see every line that it is the sum of.',
  noPrice: 'no price',
  bound: { outgoing: 'Outgoing', staked: 'Staked', locked: 'Locked', reward: 'Rewards' },
  orderHistory: 'Order history',
  transfer: 'Transfer',
  transferToken: (name: string) => `Transfer ${name}`
} as const
