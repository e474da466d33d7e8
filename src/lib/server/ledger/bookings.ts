/** Parts of queries for the activity: features choose which of a customer's bookings to list, and how to name them. */
import { type SQL, sql } from 'drizzle-orm'
import type { HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { LedgerReason } from '#lib/domain/ledger/reasons.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { HOUSE_ID } from './schema.ts'

/**
 * `from` and `where` of a select: the postings `p` with their transaction `t`, source account `s` and destination account `d`. The
 * customer owns both accounts (moves), or the destination, with a house account as source (arrivals).
 */
export function movesOf(userId: string, reason: LedgerReason): SQL {
  return sql`
    from accounts s
    join postings p on p.source_id = s.id
    join accounts d on d.id = p.destination_id and d.owner_id = s.owner_id
    join ledger_transactions t on t.id = p.transaction_id and t.reason = ${reason}
    where s.owner_id = ${userId}`
}

export function arrivalsOf(userId: string, from: HouseKind): SQL {
  return sql`
    from accounts d
    join postings p on p.destination_id = d.id
    join accounts s on s.id = p.source_id and s.owner_id = ${HOUSE_ID} and s.kind = ${from}
    join ledger_transactions t on t.id = p.transaction_id
    where d.owner_id = ${userId}`
}

/**
 * The same for corrections and for what an operator credited out of `suspense`, with `p` and `t` only: the customer owns one of the two accounts; `p.is_in` is true if it is the
 * destination.
 */
export function correctionsOf(userId: string): SQL {
  return sql`
    from accounts a
    cross join lateral (
      select x.*, true as is_in from postings x where x.destination_id = a.id
      union all select x.*, false from postings x where x.source_id = a.id
    ) p
    join ledger_transactions t on t.id = p.transaction_id and t.reason in ('adjustment', 'suspense_decided')
    where a.owner_id = ${userId}`
}

type Booked = { source: string; destination: string; currency: string; amount: bigint }

/** The postings that were booked under a reference, each account as `owner kind`; empty if there are none. */
export async function bookedUnder(db: Executor, reference: string): Promise<Booked[]> {
  const answer = await db.execute(sql`
    select s.owner_id || ' ' || s.kind as source, d.owner_id || ' ' || d.kind as destination, p.currency, p.amount::text as amount
    from ledger_transactions t join postings p on p.transaction_id = t.id
    join accounts s on s.id = p.source_id join accounts d on d.id = p.destination_id
    where t.reference = ${reference} order by p.id`)
  return rowsOf<Omit<Booked, 'amount'> & { amount: string }>(answer).map((row) => ({ ...row, amount: BigInt(row.amount) }))
}
