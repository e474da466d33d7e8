/** The page of one token. */
import type { CustomerKind } from '#lib/domain/ledger/holdings.ts'

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
  kinds: 'Where it is',
  nothingIn: (kinds: string) => `Nothing ${kinds}.`,
  nothingOf: {
    spot: 'in spot',
    funding: 'in funding',
    frozen: 'frozen',
    outgoing: 'outgoing',
    staked: 'staked',
    locked: 'locked',
    reward: 'in rewards'
  } satisfies Record<CustomerKind, string>,
  staking: 'Staking',
  stakingDetails: 'Details',
  kindsAbout: 'Press a figure to see every line that adds up to it.',
  activity: 'Activity',
  noActivity: 'What comes in and goes out will appear here.',
  activityLater: 'The latest activity cannot be shown at the moment. Please try again in a minute.',
  allActivity: 'All activity',
  allLines: 'Statement'
} as const
