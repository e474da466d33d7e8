/** The lines of our own accounts: what each figure of the house is made of. */
import { sql } from 'drizzle-orm'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason, SourceType } from '#lib/domain/ledger/reasons.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { lastPostingBefore } from './period.ts'
import { HOUSE_ID } from './schema.ts'

/** `amount`: signed, in smallest units. `counterpart`: the account on the other side; `customer` is its owner, null for ours. */
export type HouseLine = {
  id: bigint
  at: Date
  amount: bigint
  reason: LedgerReason
  sourceType: SourceType
  sourceId: string
  counterpart: CustomerKind | HouseKind
  customer: string | null
}
type Asked = { kind: HouseKind; currency: string; day?: string | undefined; before?: bigint | undefined; limit: number }

const DAY_MS = 86_400_000
const LAST_ID = 2n ** 63n - 1n

/**
 * The newest lines of one of our accounts, of one day (UTC, `YYYY-MM-DD`) or of all; `before`: older than this line. Moves between its own
 * rows are left out: an account that much is booked on has several. A page costs the same however many lines there are.
 */
export async function houseLines(db: Executor, { kind, currency, day, before, limit }: Asked): Promise<HouseLine[]> {
  const start = day === undefined ? undefined : new Date(`${day}T00:00:00Z`)
  const after = start ? await lastPostingBefore(db, start) : 0n
  const end = start ? (await lastPostingBefore(db, new Date(start.getTime() + DAY_MS))) + 1n : LAST_ID
  const until = before !== undefined && before < end ? before : end
  const side = (own: 'source' | 'destination', other: 'source' | 'destination') => {
    const key = sql.raw(`(p.${own}_id, p.id)`)
    return sql`(
      select p.id, ${sql.raw(own === 'source' ? '-p.amount' : 'p.amount')} as amount, ${sql.raw(`p.${other}_id`)} as other_id, p.transaction_id
      from postings p
      where ${key} > (m.id, ${after.toString()}::bigint) and ${key} < (m.id, ${until.toString()}::bigint)
        and ${sql.raw(`p.${other}_id`)} not in (select id from mine)
      order by ${sql.raw(`p.${own}_id`)} desc, p.id desc limit ${limit})`
  }
  const answer = await db.execute(sql`
    with mine as materialized (
      select id from accounts where owner_id = ${HOUSE_ID} and currency = ${currency} and kind = ${kind}
    ), lines as (
      select s.* from mine m cross join lateral (${side('source', 'destination')} union all ${side('destination', 'source')}) s
      order by s.id desc limit ${limit}
    )
    select l.id::text, l.amount::text, t.created_at as at, t.reason, t.source_type, t.source_id, o.kind as counterpart,
      case when o.owner_id <> ${HOUSE_ID} then o.owner_id::text end as customer
    from lines l join ledger_transactions t on t.id = l.transaction_id join accounts o on o.id = l.other_id
    order by l.id desc`)
  type Row = Omit<HouseLine, 'id' | 'amount' | 'sourceType' | 'sourceId' | 'at'> & {
    id: string
    amount: string
    at: string | Date
    source_type: SourceType
    source_id: string
  }
  return rowsOf<Row>(answer).map(({ id, amount, at, source_type, source_id, ...row }) => ({
    ...row,
    id: BigInt(id),
    amount: BigInt(amount),
    at: new Date(at),
    sourceType: source_type,
    sourceId: source_id
  }))
}
