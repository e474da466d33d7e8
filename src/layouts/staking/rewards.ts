/** The days of the reward calendar as rows, and its months as a map. */
import type { Answer } from '#lib/contract/types.ts'
import { rewardsTexts as texts } from '#messages/staking/rewards.ts'

type Year = Answer<'getRewardCalendar'>
type Line = Year['months'][number]['lines'][number]
/** `times`: how often a release repeats on the same day of the month, with this one. */
type Row = Line & { times: number }

const isOpen = ({ state }: Pick<Line, 'state'>) => state === 'due' || state === 'late'
const isIncome = ({ kind, state }: Pick<Line, 'kind' | 'state'>) => kind !== 'principal' && state !== 'cancelled'

/** Lines in order; releases of a bonus that repeat each month with the same amount are one row, the first of them. */
export function rowsOf(lines: Line[]): Row[] {
  const rows: Row[] = []
  const known = new Map<string, Row>()
  for (const line of lines) {
    const key = `${line.currency} ${line.units} ${line.count} ${line.day.slice(8)}`
    const earlier = line.kind === 'bonus' && line.state === 'due' ? known.get(key) : undefined
    if (earlier) {
      earlier.times += 1
      continue
    }
    const row = { ...line, times: 1 }
    rows.push(row)
    if (line.kind === 'bonus' && line.state === 'due') known.set(key, row)
  }
  return rows
}

/** Sums by currency of what is still to come, or what has come; without staked tokens that return. */
export function sumsOf(lines: Line[], isPaid: boolean): { currency: string; units: bigint }[] {
  const sums = new Map<string, bigint>()
  for (const line of lines.filter(isIncome))
    if ((line.state === 'paid') === isPaid) sums.set(line.currency, (sums.get(line.currency) ?? 0n) + BigInt(line.units))
  return [...sums].map(([currency, units]) => ({ currency, units }))
}

/** `2 of 4`: which payout of the shown term a reward is; undefined for one of another package. */
export function payoutOfTerm(
  term: Answer<'getStakingSummary'>['term'],
  { day, units }: Pick<Line, 'day' | 'units'>
): string | undefined {
  const index = term?.payouts.findIndex((one) => one.dueAt.startsWith(day) && one.units === units) ?? -1
  return index < 0 ? undefined : texts.ofTerm(index + 1, term?.payouts.length ?? 0)
}

/** How a month looks on the map; undefined without lines. `next`: it has the next payout. */
type MonthMark = 'paid' | 'next' | 'pay' | 'bonus' | 'end'

export function markOf(lines: Pick<Line, 'kind' | 'state'>[], month: string, next: string | undefined): MonthMark | undefined {
  if (lines.length === 0) return undefined
  if (lines.some(({ kind }) => kind === 'principal')) return 'end'
  if (next?.startsWith(month) || lines.some(({ state }) => state === 'late')) return 'next'
  if (!lines.some(isOpen)) return 'paid'
  return lines.every(({ kind }) => kind === 'bonus') ? 'bonus' : 'pay'
}
