/** The calendar of rewards, month by month. Days and months are UTC, `yyyy-mm-dd` and `yyyy-mm`. */
import type { PayoutKind } from './schedule.ts'

/** Payouts of stakes and bonuses, and rewards for invitations; the latter are known only when they are booked. */
export type CalendarKind = PayoutKind | 'referral'
export const CALENDAR_KINDS = ['reward', 'bonus', 'principal', 'referral'] as const satisfies readonly CalendarKind[]

/** `late`: was due and is not paid, e.g. because the fund had too little. */
export const CALENDAR_STATES = ['paid', 'due', 'late', 'cancelled'] as const
export type CalendarState = (typeof CALENDAR_STATES)[number]

/** All payouts of one kind, currency and state on one day. */
export type CalendarLine = {
  day: string
  kind: CalendarKind
  currency: string
  units: bigint
  count: number
  state: CalendarState
}

type Month = { month: string; sums: { currency: string; units: bigint }[]; lines: CalendarLine[] }

/** The months with lines, in order, with sums by currency: without returned staked tokens, which are no income, and cancelled lines. */
export function monthsOf(lines: CalendarLine[]): Month[] {
  const months = new Map<string, Month>()
  for (const line of [...lines].sort((a, b) => a.day.localeCompare(b.day))) {
    const key = line.day.slice(0, 7)
    const month = months.get(key) ?? { month: key, sums: [], lines: [] }
    months.set(key, month)
    month.lines.push(line)
    if (line.kind === 'principal' || line.state === 'cancelled') continue
    const sum = month.sums.find(({ currency }) => currency === line.currency)
    if (sum) sum.units += line.units
    else month.sums.push({ currency: line.currency, units: line.units })
  }
  return [...months.values()]
}
