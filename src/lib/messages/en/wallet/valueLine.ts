/** The value line: the value of the tokens, day by day. */
import type { Range } from '#lib/domain/wallet/valueLine.ts'

export const valueLineTexts = {
  title: 'Value over time',
  ranges: 'Range',
  range: { '1W': '1W: one week', '1M': '1M: one month', '1Y': '1Y: one year', All: 'All days' } satisfies Record<Range, string>,
  since: { '1W': 'in a week', '1M': 'in a month', '1Y': 'in a year', All: 'since the first day' } satisfies Record<Range, string>,
  sinceStart: 'since the start, made of',
  madeOf: (since: string) => `${since}, made of`,
  paid: 'Paid in',
  inAndOut: 'In and out',
  prices: 'Prices',
  rewards: 'Rewards',
  priceChanges: 'Prices of what you held',
  trades: 'Trades and fees',
  drawing: (from: string, to: string) => `Line from ${from} to ${to}`,
  tooShort: 'The line starts on your second day here.',
  later: 'The line cannot be drawn at the moment.',
  asTable: 'Show as table',
  table: 'Table',
  caption: 'Value at the end of each day (UTC)',
  day: 'Day',
  value: 'Value'
} as const

/** How the total is spread over the tokens. */
export const allocationTexts = {
  title: 'Allocation',
  caption: 'Share of each token in the total',
  others: 'Others',
  none: 'What you hold will appear here.'
} as const
