import { sql } from 'drizzle-orm'
import { statementOnce } from '../platform/db/builtOnce.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { LAST_ID, ofAccount } from './accountLines.ts'

/** `lastId`: of a day that is over for good. */
type Row = { day: string; currency: string; units: string; lastId: string | null }

/** The balance of account `m` after its newest posting on one side, up to the last posting of the day. */
const lastOn = (own: 'source' | 'destination') => sql`(
  select p.id, ${sql.raw(`p.${own}_balance`)} as after from postings p
  ${ofAccount({ own, account: 'm.id', upTo: sql`d.last_id`, order: 'desc' })} limit 1)`

/** The last posting of days that are over for good, by database: it is the same for every customer, and never changes. */
const lastIds = new WeakMap<Executor, Map<string, string>>()
function lastIdsOf(db: Executor): Map<string, string> {
  const known = lastIds.get(db) ?? new Map<string, string>()
  lastIds.set(db, known)
  return known
}

/**
 * What a customer had of each token at the end of each UTC day (yyyy-mm-dd), all account kinds together, in smallest units. Reads
 * only indexes: a day costs the same for any number of postings. A transaction is dated when it starts but numbered when it posts,
 * so the last posting of a day is the highest number of its last minute, not that of its latest date. The newest day ends with the
 * newest posting. The last number of a day is kept as soon as there is a booking dated an hour after its end: by then every booking that began in it is done.
 */
export async function balancesAt(
  db: Executor,
  userId: string,
  days: string[],
  currency?: string
): Promise<Map<string, Record<string, bigint>>> {
  const found = new Map<string, Record<string, bigint>>(days.map((day) => [day, {}]))
  if (days.length === 0) return found
  const known = lastIdsOf(db)
  // Two parameters, so that the statement is the same for any number of days.
  const knownIds = days.map((day) => known.get(day) ?? null)
  const answer = await db.execute(sql`
    with d as materialized (
      -- By the database's clock too: a process whose clock is fast must not end a day for all.
      select asked.day, asked.known is not null or now() >= ends.at + interval '1 hour' and exists (
        select 1 from ledger_transactions t where t.created_at >= ends.at + interval '1 hour'
      ) as is_final, case
        when asked.known is not null then asked.known
        when not exists (select 1 from ledger_transactions t where t.created_at >= ends.at) then ${LAST_ID}
        else (
          select max(p.id) from ledger_transactions t join postings p on p.transaction_id = t.id
          where t.created_at < ends.at
            and t.created_at >= (select max(created_at) from ledger_transactions where created_at < ends.at) - interval '1 minute'
        ) end as last_id
      from unnest(${sql.param(days)}::date[], ${sql.param(knownIds)}::bigint[]) as asked (day, known)
      cross join lateral (select (asked.day + 1)::timestamp at time zone 'UTC' as at) ends
    ), m as materialized (
      select id, currency from accounts where owner_id = ${userId} ${currency ? sql`and currency = ${currency}` : sql``}
    )
    select to_char(d.day, 'YYYY-MM-DD') as day, m.currency, sum(l.after)::text as units,
      min(d.last_id) filter (where d.is_final)::text as "lastId"
    from d cross join m cross join lateral (
      select after from (${lastOn('source')} union all ${lastOn('destination')}) sides order by id desc limit 1
    ) l
    group by 1, 2`)
  for (const { day, currency: code, units, lastId } of rowsOf<Row>(answer)) {
    if (lastId !== null) known.set(day, lastId)
    const ofDay = found.get(day)
    if (ofDay) ofDay[code] = BigInt(units)
  }
  return found
}

const firstBooking = statementOnce<{ at: string | null }>(
  'first_booking',
  () => sql`
    select min(t.created_at)::text as at
    from accounts a
    cross join lateral (
      (select p.transaction_id from postings p ${ofAccount({ own: 'source', account: 'a.id', order: 'asc' })} limit 1)
      union all (select p.transaction_id from postings p ${ofAccount({ own: 'destination', account: 'a.id', order: 'asc' })} limit 1)
    ) p
    join ledger_transactions t on t.id = p.transaction_id
    where a.owner_id = ${sql.placeholder('user')} and a.currency = coalesce(${sql.placeholder('currency')}, a.currency)`
)

/** When the customer's first booking was made, in `currency` or in any; undefined if none was. */
export async function firstBookingAt(db: Executor, userId: string, currency?: string): Promise<Date | undefined> {
  const [found] = await firstBooking(db, { user: userId, currency: currency ?? null })
  return found?.at ? new Date(found.at) : undefined
}
