/** The activity: everything that happened, in one feed. */
import type { ActivityKind } from '#lib/domain/activity/kinds.ts'

export const activityTexts = {
  title: 'Activity',
  kinds: 'Types',
  all: 'All',
  paid: 'Paid in and out',
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
  searchLabel: 'Search activity',
  searchNow: 'Search',
  csv: 'CSV',
  csvLabel: 'Download as CSV',
  today: 'Today',
  yesterday: 'Yesterday',
  none: 'No activity yet',
  noneAbout: 'Purchases, deposits, withdrawals, trades, transfers and rewards will appear here.',
  noMatch: 'No matches',
  noMatchAbout: 'Choose another type, or try another search.',
  showAll: 'Show all',
  older: 'Older',
  newest: 'Newest',
  valueNote: (currency: string) => `Values in ${currency} at each day’s prices. The CSV contains what the filters show.`,
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
  unfitPayment: 'Payment under review',
  refund: 'Payment refunded',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  sold: (price: string) => `Sold at ${price}`,
  bought: (price: string) => `Bought at ${price}`,
  tradedFor: (amount: string, by: string) => `${amount} · ${by}`,
  unknownToken: 'Unsupported token',
  staked: 'staked',
  columns: {
    date: 'Date',
    kind: 'Type',
    what: 'Description',
    details: 'Details',
    state: 'Status',
    currency: 'Currency',
    amount: 'Amount',
    value: (currency: string) => `Value ${currency} at the time`,
    order: 'Order'
  }
} as const
