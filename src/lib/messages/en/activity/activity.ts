/** The activity: everything that happened, in one feed. */
import type { ActivityKind } from '#lib/domain/activity/kinds.ts'

export const activityTexts = {
  title: 'Activity',
  kinds: 'Kinds',
  all: 'All',
  kind: {
    purchase: 'Purchases',
    deposit: 'Deposits',
    withdrawal: 'Withdrawals',
    trade: 'Trades',
    transfer: 'Transfers',
    reward: 'Rewards',
    payment: 'Payments'
  } satisfies Record<ActivityKind, string>,
  search: 'Token, amount, order',
  searchLabel: 'Search the activity',
  searchNow: 'Search',
  csv: 'CSV',
  csvLabel: 'Download as CSV',
  today: 'Today',
  yesterday: 'Yesterday',
  none: 'Nothing has happened yet',
  noneAbout: 'Purchases, deposits, withdrawals, trades, transfers and rewards are listed here.',
  noMatch: 'Nothing matches',
  noMatchAbout: 'Choose another kind, or search for something else.',
  showAll: 'Show all',
  older: 'Older',
  newest: 'Newest',
  valueNote: (currency: string) => `Values in ${currency} at the prices of the day. The CSV holds what the filters show.`,
  move: (from: string, to: string) => `${from} to ${to}`,
  adjustment: 'Adjustment',
  referral: 'Invitee’s purchase',
  referralOf: (usd: string) => `5% of ${usd}`,
  staking: {
    staking_reward: 'Staking reward',
    staking_returned: 'Staked tokens returned',
    bonus_released: 'Bonus released'
  },
  unfit: (expected: string) => `expected ${expected}`,
  unfitPayment: 'Payment that needs checking',
  refund: 'Payment sent back',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  sold: (price: string) => `Sold at ${price}`,
  bought: (price: string) => `Bought at ${price}`,
  tradedFor: (amount: string, by: string) => `${amount} · ${by}`,
  unknownToken: 'Token that is not supported',
  staked: 'staked',
  columns: {
    date: 'Date',
    kind: 'Kind',
    what: 'What',
    details: 'Details',
    state: 'State',
    currency: 'Currency',
    amount: 'Amount',
    value: (currency: string) => `Value ${currency} at the time`,
    order: 'Order'
  }
} as const
