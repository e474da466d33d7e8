/** The page of one token. */
import type { CustomerKind } from '#lib/domain/ledger/holdings.ts'

export const tokenTexts = {
  back: 'Wallet',
  total: 'Total',
  at: 'at',
  noPrice: 'There is no price for it at the moment.',
  buy: 'Buy',
  deposit: 'Deposit',
  withdraw: 'Withdraw',
  transfer: 'Transfer',
  orderHistory: 'History',
  soon: (token: string) => `Deposit and Withdraw of ${token} are coming soon.`,
  kinds: 'Where it is',
  nothingIn: (kinds: string[]) =>
    `Nothing ${kinds.length > 1 ? `${kinds.slice(0, -1).join(', ')} or ${kinds.at(-1)}` : kinds.join('')}.`,
  nothingOf: {
    spot: 'in spot',
    funding: 'in funding',
    frozen: 'frozen',
    outgoing: 'outgoing',
    staked: 'staked',
    locked: 'locked',
    reward: 'in rewards'
  } satisfies Record<CustomerKind, string>,
  today: 'today',
  staking: 'Staking',
  stakingDetails: 'Details',
  kindsAbout: 'Press a row to see what it means and its newest lines.',
  everyLine: 'Every line',
  until: (day: string) => `until ${day}`,
  activity: 'Activity',
  noActivity: 'What comes in and goes out will appear here.',
  activityLater: 'The latest activity cannot be shown at the moment. Please try again in a minute.',
  allActivity: 'All activity',
  allLines: 'Statement'
} as const

/** What the customer paid for what they have of a token. */
export const costTexts = {
  title: 'What you paid',
  average: 'Average price',
  averageOf: (units: string) => `of ${units} bought`,
  paid: 'You paid',
  fees: (fees: string) => `and ${fees} in fees`,
  prices: 'Prices',
  rewards: 'Rewards and bonus',
  unpriced: 'Came without a price',
  unpaid: 'Payment was returned',
  unitsOf: (units: string) => `${units}, in no gain`,
  gain: 'Gain so far',
  sum: (parts: string, value: string) => `${parts} = ${value}, what it is worth now.`,
  about: 'What you sold or withdrew is taken from what came in first. A deposit counts at the price of its day, a reward as 0.',
  tooMany: 'There are too many lines to work this out here. Your tax report has them all.',
  documents: 'Documents'
} as const
