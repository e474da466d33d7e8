/** The statement of a token, as a page and as a file. Source: spec section 2; sentences beyond it are ours. */
export const statementTexts = {
  what: 'statement',
  daysUnreadable: 'these days cannot be read. Please choose others.',
  title: (token: string) => `${token} statement`,
  back: 'Wallet',
  accountsLabel: 'Accounts',
  now: (account: string) => `${account} now`,
  sumOfLines: 'It is the sum of all its lines.',
  filter: 'Filter',
  kind: 'Kind',
  allKinds: 'All',
  from: 'From',
  to: 'To',
  noMatch: 'No line matches',
  noMatchAbout: 'Choose another kind or other days.',
  none: 'Nothing was booked here yet',
  noneAbout: 'What comes in and goes out is listed here, line by line.',
  showAll: 'Show all',
  caption: (account: string, token: string) => `${account} ${token}, newest first`,
  whatHappened: 'What',
  date: 'Date (UTC)',
  counterpart: 'Counterpart',
  order: 'Order',
  amount: 'Amount',
  balanceAfter: 'Balance after',
  amountIn: (currency: string) => `Amount ${currency}`,
  balanceAfterIn: (currency: string) => `Balance after ${currency}`,
  accounts: {
    total: 'Total',
    available: 'Available',
    spot: 'Spot',
    funding: 'Funding',
    frozen: 'Frozen',
    staked: 'Staked',
    reward: 'Rewards'
  },
  /** What each is the sum of. */
  explanations: {
    total: 'Everything you have of it: spot, funding, frozen, staked and rewards. Moves between them change nothing here.',
    available: 'Spot and funding together, without what is frozen.',
    spot: 'What you can withdraw or transfer to funding.',
    funding: 'What you can sell peer to peer, without what is frozen for your orders.',
    frozen: 'What your open peer-to-peer orders hold.',
    staked: 'What your staked packages lock until their term ends.',
    reward: 'What the people you invited brought you.'
  },
  kinds: {
    purchase: 'Token purchase',
    reward: 'Referral reward',
    move: 'Transfer between your accounts',
    adjustment: 'Adjustment'
  },
  yourAccount: (account: string) => `Your ${account} account`,
  anotherCustomer: 'Another customer'
} as const
