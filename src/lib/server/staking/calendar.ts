/** What comes when: payouts of staking and bonus by their due days, rewards for invitations by the day of their booking. */
import { sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { type CalendarLine, monthsOf } from '#lib/domain/staking/calendar.ts'
import { arrivalsByDay } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'

/** `asOf`: as it was then, with the orders that were completed by then; without it, as it is now. */
type Span = { from: string; until: string; asOf?: Date }
type Row = Omit<CalendarLine, 'units'> & { units: string }

const REWARD_TOKEN = 'CPC'

/** The lines of the days from `from` on and before `until` (yyyy-mm-dd), in the order of their days. */
export async function calendarLines(
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
    where user_id = ${userId} ${asOf ? sql`and order_id in (select id from orders where user_id = ${userId} and completed_at <= ${now})` : sql``}
      and due_at >= ${from}::date::timestamp at time zone 'UTC' and due_at < ${until}::date::timestamp at time zone 'UTC'
    group by 1, kind, currency, 6
    order by 1, kind desc, currency`)
  const payouts = rowsOf<Row>(answer).map((row) => ({ ...row, units: BigInt(row.units) }))
  const referrals = await arrivalsByDay(
    db,
    { owner: userId, account: 'reward', from: 'rewards', currency: REWARD_TOKEN },
    { from, until }
  )
  const invited = referrals.map(({ day, units, count }) => ({
    day,
    kind: 'referral' as const,
    currency: REWARD_TOKEN,
    units,
    count,
    state: 'paid' as const
  }))
  return [...payouts, ...invited].sort((a, b) => a.day.localeCompare(b.day))
}

export async function readCalendar(
  context: Context,
  { userId }: { userId: string },
  { year }: { year?: number | undefined }
): Promise<Answer<'getRewardCalendar'>> {
  const shown = year ?? context.clock().getUTCFullYear()
  const [lines, years] = await Promise.all([
    calendarLines(context, userId, { from: `${shown}-01-01`, until: `${shown + 1}-01-01` }),
    yearsOf(context.db, userId)
  ])
  const months = monthsOf(lines)
  return {
    year: shown,
    years: [...new Set([...years, context.clock().getUTCFullYear()])].sort(),
    months: months.map(({ month, sums, lines: of }) => ({
      month,
      sums: sums.map(({ currency, units }) => ({ currency, units: units.toString() })),
      lines: of.map((line) => ({ ...line, units: line.units.toString() }))
    }))
  }
}

/** The years in which something was or is due. */
async function yearsOf(db: Executor, userId: string): Promise<number[]> {
  const answer = await db.execute(sql`
    select extract(year from min(due_at) at time zone 'UTC')::int as first, extract(year from max(due_at) at time zone 'UTC')::int as last
    from payouts where user_id = ${userId}`)
  const { first, last } = rowsOf<{ first: number | null; last: number | null }>(answer)[0] ?? {}
  return first && last ? Array.from({ length: last - first + 1 }, (_, index) => first + index) : []
}
