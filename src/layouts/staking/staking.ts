/** The list of stakes: reading and making its URLs, and the texts of payouts. */
import type { Answer } from '#lib/contract/types.ts'
import { STAKE_SORTS, STAKE_STATUSES, type StakeSort, type StakeStatus } from '#lib/domain/staking/terms.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { stakingTexts as texts } from '#messages/staking/staking.ts'

export type Asked = { search?: string; status?: StakeStatus; sort: StakeSort; direction: 'asc' | 'desc' }

const DAY_MS = 86_400_000

/** Reads the list's URL. An unknown status or column is left out, and so is white space in the email address. */
export function readAsked(search: URLSearchParams): Asked {
  const [mail, status] = [(search.get('search') ?? '').replace(/\s/g, '').slice(0, 200), search.get('status')]
  const [sort, direction] = [search.get('sort'), search.get('direction')]
  const known = STAKE_STATUSES.find((one) => one === status)
  return {
    ...(mail && { search: mail }),
    ...(known && { status: known }),
    sort: STAKE_SORTS.find((one) => one === sort) ?? 'date',
    direction: direction === 'asc' ? 'asc' : 'desc'
  }
}

/** The URL of the list with these parameters; defaults are left out. */
export function stakingHref(asked: Partial<Asked>, others: Record<string, string> = {}): string {
  const { search, status, sort = 'date', direction = 'desc' } = asked
  const query = new URLSearchParams({
    ...(search && { search }),
    ...(status && { status }),
    ...(sort !== 'date' && { sort }),
    ...(direction !== 'desc' && { direction }),
    ...others
  })
  return query.size > 0 ? `/staking?${query}` : '/staking'
}

/** A press on a column's name sorts by it, newest or largest first; a second press reverses the order. */
export function sortHref(asked: Asked, sort: StakeSort): string {
  return stakingHref({ ...asked, sort, direction: asked.sort === sort && asked.direction === 'desc' ? 'asc' : 'desc' })
}

/** Whole UTC days from one moment to another, because payouts are due by UTC day. */
export function daysBetween(from: Date, to: string): number {
  return Math.round(
    (Date.parse(`${to.slice(0, 10)}T00:00:00Z`) - Date.parse(`${from.toISOString().slice(0, 10)}T00:00:00Z`)) / DAY_MS
  )
}

type Stake = Answer<'getStake'>
export type PayoutLine = { day: string; title: string; says: string; amount: string; mark: 'done' | 'now' | 'later' | 'warn' }

/** The lines of the schedule. The first payout that is neither paid nor cancelled is the next one. */
export function payoutLines({ payouts, currency }: Stake, now: Date): PayoutLine[] {
  const next = payouts.find(({ paidAt, cancelledAt }) => paidAt === null && cancelledAt === null)?.dueAt
  return payouts.map(({ kind, units, dueAt, paidAt, cancelledAt }) => {
    const days = daysBetween(now, dueAt)
    const line = { day: formatDay(dueAt), title: texts.payouts[kind], amount: `${formatExactUnits(units, currency)} ${currency}` }
    if (paidAt) return { ...line, says: texts.paidOn(formatDay(paidAt)), mark: 'done' }
    if (cancelledAt) return { ...line, says: texts.states.cancelled, mark: 'later' }
    // It could not be paid on its day, e.g. because the fund had too little; it is retried each minute.
    if (days < 0) return { ...line, says: texts.states.late, mark: 'warn' }
    if (dueAt === next) return { ...line, says: texts.nextIn(days), mark: 'now' }
    return { ...line, says: kind === 'principal' ? texts.states.unlock : texts.states.later, mark: 'later' }
  })
}
