/** What changed a customer's holdings after a day, summed by day. */
import { sql } from 'drizzle-orm'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason } from '#lib/domain/ledger/reasons.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { lastPostingSql } from './period.ts'

/** `units`: smallest units, signed, of one day, token, reason, own account and account on the other side. */
export type FlowRow = {
  day: string
  currency: string
  reason: LedgerReason
  account: CustomerKind
  counterpart: CustomerKind | HouseKind
  units: bigint
}

/** More lines than this on one side of an account, moves between own accounts among them, take too long to sum up for a page. */
const MOST_LINES = 1000

type Row = Omit<FlowRow, 'units'> & { units: string; lines: string; side: string; isOwn: boolean }

/**
 * The sums of the customer's movements after a UTC day (yyyy-mm-dd), or of all with `undefined`, of one currency or all, without moves
 * between their own accounts. The day ends with the same posting as in `balancesAt`. Undefined where there are too many to sum up at once.
 */
export async function flowsAfter(
  db: Executor,
  userId: string,
  day: string | undefined,
  currency?: string
): Promise<FlowRow[] | undefined> {
  const part = (own: 'source' | 'destination', other: 'source' | 'destination') => sql`(
    select ${sql.raw(`'${own}'`)} as side, p.transaction_id, ${sql.raw(own === 'source' ? '-p.amount' : 'p.amount')} as amount, ${sql.raw(`p.${other}_id`)} as other_id
    from postings p
    where ${sql.raw(`(p.${own}_id, p.id)`)} > (m.id, m.after) and ${sql.raw(`p.${own}_id`)} = m.id
    order by ${sql.raw(`p.${own}_id`)}, p.id limit ${MOST_LINES + 1})`
  const answer = await db.execute(sql`
    with mine as materialized (
      select id, currency, kind, ${day === undefined ? sql`0::bigint` : lastPostingSql(sql`(${day}::date + 1)::timestamp at time zone 'UTC'`)} as after
      from accounts where owner_id = ${userId} ${currency ? sql`and currency = ${currency}` : sql``}
    )
    select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, m.currency, t.reason, m.kind as account, o.kind as counterpart,
      s.side, s.other_id in (select id from mine) as "isOwn", sum(s.amount)::text as units, count(*)::text as lines
    from mine m
    cross join lateral (${part('source', 'destination')} union all ${part('destination', 'source')}) s
    join ledger_transactions t on t.id = s.transaction_id
    join accounts o on o.id = s.other_id
    group by 1, 2, 3, 4, 5, 6, 7`)
  const rows = rowsOf<Row>(answer)
  const read = Map.groupBy(rows, ({ currency, account, side }) => `${currency} ${account} ${side}`)
  if ([...read.values()].some((ofSide) => ofSide.reduce((sum, { lines }) => sum + Number(lines), 0) > MOST_LINES))
    return undefined
  return rows
    .filter(({ isOwn }) => !isOwn)
    .map(({ day: at, currency: code, reason, account, counterpart, units }) => {
      return { day: at, currency: code, reason, account, counterpart, units: BigInt(units) }
    })
}
