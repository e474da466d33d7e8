/** The list of the wallet. Source: spec sections 2 and 6. */
export const walletPageTexts = {
  total: (currency: string) => `Total money you have (${currency})`,
  sums: { free: 'Spot and funding', staked: 'Staked', reward: 'Rewards' },
  search: 'Search a token',
  searchAll: (tokens: number) => `Search ${tokens} tokens`,
  showAll: (tokens: number) => `Show all ${tokens}`,
  shown: (tokens: number) => `${tokens === 1 ? '1 token' : `${tokens} tokens`} shown`,
  availableBalance: 'Available Balance',
  frozenBalance: 'Frozen Balance',
  noMatch: 'No token matches',
  searchElse: 'Search for something else.',
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
