/** The quarterly statement and the tax report, as documents. */
import type { TaxSection } from '#lib/domain/documents/tax.ts'
import { rewardsTexts } from '../staking/rewards.ts'
import { statementTexts } from '../wallet/statement.ts'

export const statementDocTexts = {
  title: (period: string) => `Statement ${period}`,
  heading: 'Statement of your holdings',
  taxTitle: (year: string) => `Tax report ${year}`,
  taxHeading: (year: string) => `Acquisitions, rewards and disposals in ${year}`,
  customer: 'Customer',
  email: 'Email',
  period: 'Period',
  periodOf: (from: string, to: string) => `${from} to ${to}, UTC`,
  made: 'Made',
  about:
    'Every amount is from our books: what you had at the start, every movement, and what you had at the end. The end of this statement is the start of the next one. Values are by the prices and the euro rate of the day; a dash stands for a day of which no price was kept.',
  taxAbout:
    'This report sorts the movements of the year and gives their values on their days. Purchases have the price of the package, without the fee; everything else the value of its day. What went out has a minus. Staked tokens that come back, and moves between your own accounts, change nothing and are not listed. Which of it is taxed is for the law of your country: please ask a tax adviser.',
  summary: 'Your holdings by token',
  none: 'There were no holdings and no movements.',
  columns: {
    currency: 'Token',
    opening: (day: string) => `On ${day}`,
    in: 'In',
    out: 'Out',
    closing: (day: string) => `On ${day}`,
    date: 'Date',
    what: 'What happened',
    amount: 'Amount',
    balance: 'Balance after',
    usd: 'USD',
    eur: 'EUR',
    account: 'Account',
    state: 'State',
    count: 'Payouts',
    order: 'Order'
  },
  parts: 'Where it was at the end',
  accounts: statementTexts.accounts,
  movements: (currency: string) => `Movements of ${currency}`,
  openingLine: 'At the start',
  closingLine: 'At the end',
  bonus: 'Bonus (locked)',
  noMovements: 'No movements in this quarter.',
  schedule: 'Staking and bonus: payouts of this quarter and to come',
  scheduleNone: 'No payouts.',
  kinds: rewardsTexts.kinds,
  states: rewardsTexts.states,
  total: 'Total value in USD and EUR',
  sections: {
    acquisition: 'Acquisitions',
    reward: 'Rewards',
    disposal: 'Disposals',
    transfer: 'Transfers and corrections: neither acquired nor disposed of'
  } satisfies Record<TaxSection, string>,
  sectionNone: 'None.',
  unvalued: (count: number) => `${count} without a value`,
  sums: 'Sums'
} as const
