/** The reward calendar: payouts of stakes and bonuses by their due days, rewards for invitations by the day of their booking. */
import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { type CalendarLine, monthsOf } from '#lib/domain/staking/calendar.ts'
import { arrivalsByDay, firstBookingAt } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { rowsOf } from '../platform/db/client.ts'

/** `asOf`: the calendar as of this moment, with the orders that were completed by then; default: now. */
type Span = { from: string; until: string; asOf?: Date }
type Row = Omit<CalendarLine, 'units'> & { units: string }

const REWARD_TOKEN = 'CPC'
/** No payout is due as late as this. */
export const END_OF_PLANS = '2200-01-01'

/** The payouts that are due from the day `from` on and before `until` (yyyy-mm-dd), ordered by day. */
export async function plannedLines(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  userId: string,
  { from, until, asOf }: Span
): Promise<CalendarLine[]> {
  const now = sql`${(asOf ?? clock()).toISOString()}::timestamptz`
  const today = (asOf ?? clock()).toISOString().slice(0, 10)
  const answer = await db.execute(sql`
    select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD') as day, kind, currency, sum(units)::text as units, count(*)::int as count,
      case when paid_at <= ${now} then 'paid' when cancelled_at <= ${now} then 'cancelled'
        when due_at < ${today}::date::timestamp at time zone 'UTC' then 'late' else 'due' end as state
    from payouts
    where user_id = ${userId} ${asOf ? sql`and order_id in (select id from orders_facts where user_id = ${userId} and completed_at <= ${now})` : sql``}
      and due_at >= ${from}::date::timestamp at time zone 'UTC' and due_at < ${until}::date::timestamp at time zone 'UTC'
    group by 1, kind, currency, 6
    order by 1, kind desc, currency`)
  return rowsOf<Row>(answer).map((row) => ({ ...row, units: BigInt(row.units) }))
}

/** The same, and the rewards for invitations on the days of their bookings. */
export async function calendarLines(
  context: Pick<Context, 'db' | 'clock'>,
  userId: string,
  span: { from: string; until: string }
): Promise<CalendarLine[]> {
  const which = { owner: userId, account: 'reward', from: 'rewards', currency: REWARD_TOKEN } as const
  const [planned, referrals] = await Promise.all([plannedLines(context, userId, span), arrivalsByDay(context.db, which, span)])
  const invited = referrals.map(({ day, units, count }) => ({
    day,
    kind: 'referral' as const,
    currency: REWARD_TOKEN,
    units,
    count,
    state: 'paid' as const
  }))
  return [...planned, ...invited].sort((a, b) => a.day.localeCompare(b.day))
}

export async function readCalendar(
  context: Context,
  { userId }: { userId: string },
  { year, span }: { year?: number | undefined; span: 'year' | 'all' }
): Promise<Answer<'getRewardCalendar'>> {
  const shown = year ?? context.clock().getUTCFullYear()
  const days =
    span === 'all' ? { from: '2000-01-01', until: END_OF_PLANS } : { from: `${shown}-01-01`, until: `${shown + 1}-01-01` }
  const [lines, years] = await Promise.all([calendarLines(context, userId, days), yearsOf(context, userId)])
  const months = monthsOf(lines)
  return {
    year: shown,
    years,
    months: months.map(({ month, sums, lines: of }) => ({
      month,
      sums: sums.map(({ currency, units }) => ({ currency, units: units.toString() })),
      lines: of.map((line) => ({ ...line, units: line.units.toString() }))
    }))
  }
}

/** Every year from the customer's first booking to their last due payout; the current year is always among them. */
async function yearsOf({ db, clock }: Context, userId: string): Promise<number[]> {
  const [booked, answer] = await Promise.all([
    firstBookingAt(db, userId),
    db.execute(sql`select extract(year from max(due_at) at time zone 'UTC')::int as last from payouts where user_id = ${userId}`)
  ])
  const now = clock().getUTCFullYear()
  const first = Math.min(booked?.getUTCFullYear() ?? now, now)
  const last = Math.max(rowsOf<{ last: number | null }>(answer)[0]?.last ?? now, now)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
