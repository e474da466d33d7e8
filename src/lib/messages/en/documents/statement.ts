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
  made: 'Created',
  about:
    'Every amount is from our books: your opening balance, every movement and your closing balance. The closing balance of this statement is the opening balance of the next. Values use the prices and the euro rate of the day; a dash means that no price was kept for that day.',
  taxAbout:
    'This report sorts the movements of the year and gives the value of each on its day. Purchases show the price of the package, without the fee; everything else shows the value on its day. Outgoing amounts have a minus. Staked tokens that are returned and transfers between your own accounts change nothing and are not listed. What is taxed depends on the law of your country: please ask a tax adviser.',
  summary: 'Your holdings by token',
  none: 'There were no holdings and no movements.',
  columns: {
    currency: 'Token',
    opening: (day: string) => `On ${day}`,
    in: 'In',
    out: 'Out',
    closing: (day: string) => `On ${day}`,
    date: 'Date',
    what: 'Description',
    amount: 'Amount',
    balance: 'Balance after',
    usd: 'USD',
    eur: 'EUR',
    account: 'Account',
    state: 'Status',
    count: 'Payouts',
    order: 'Order'
  },
  parts: 'Closing balances',
  accounts: statementTexts.accounts,
  movements: (currency: string) => `Movements of ${currency}`,
  openingLine: 'Opening balance',
  closingLine: 'Closing balance',
  bonus: 'Bonus (locked)',
  noMovements: 'No movements in this quarter.',
  schedule: 'Staking and bonus: payouts this quarter and later',
  scheduleNone: 'No payouts.',
  kinds: rewardsTexts.kinds,
  states: rewardsTexts.states,
  total: 'Total value in USD and EUR',
  sections: {
    acquisition: 'Acquisitions',
    reward: 'Rewards',
    disposal: 'Disposals',
    transfer: 'Transfers and corrections: neither acquisitions nor disposals'
  } satisfies Record<TaxSection, string>,
  sectionNone: 'None.',
  unvalued: (count: number) => `${count} without a value`,
  sums: 'Totals'
} as const
