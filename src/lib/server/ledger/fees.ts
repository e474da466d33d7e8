/** What a span of time brought and cost in fees. */
import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../platform/db/client.ts'

/** `isCost`: paid out of the fund of fees, e.g. to a network. Amounts in smallest units. */
export type FeeSum = { reason: string; currency: string; count: number; amount: bigint; isCost: boolean }

/** The bookings to and from the fund of fees from `from` on, before `until`, summed by reason and currency. */
export async function feesBetween(db: Executor, from: Date, until: Date): Promise<FeeSum[]> {
  const answer = await db.execute(sql`
    select reason, currency, count(distinct transaction_id)::int as count, sum(amount)::text as amount, from_kind = 'fees' as cost
    from ledger_lines
    where created_at >= ${from.toISOString()}::timestamptz and created_at < ${until.toISOString()}::timestamptz
      and (to_kind = 'fees' or from_kind = 'fees')
    group by 1, 2, 5 order by 5, 1, 2`)
  const rows = rowsOf<{ reason: string; currency: string; count: number; amount: string; cost: boolean }>(answer)
  return rows.map(({ cost, amount, ...row }) => ({ ...row, amount: BigInt(amount), isCost: cost }))
}
