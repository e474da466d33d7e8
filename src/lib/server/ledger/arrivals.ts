import { and, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { Executor } from '../platform/db/client.ts'
import { accounts, HOUSE_ID, ledgerTransactions, postings } from './schema.ts'

type Which = { owner: string; account: CustomerKind; from: HouseKind; currency: string }
export type Arrival = { sourceId: string; amount: bigint; at: Date }

const from = alias(accounts, 'from_account')

function found(db: Executor, { owner, account, from: house, currency }: Which) {
  const into = and(eq(accounts.ownerId, owner), eq(accounts.kind, account), eq(accounts.currency, currency))
  return db
    .select({ sourceId: ledgerTransactions.sourceId, amount: postings.amount, at: ledgerTransactions.createdAt })
    .from(postings)
    .innerJoin(accounts, and(eq(accounts.id, postings.destinationId), into))
    .innerJoin(from, and(eq(from.id, postings.sourceId), eq(from.ownerId, HOUSE_ID), eq(from.kind, house)))
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, postings.transactionId))
    .$dynamic()
}

/** Bookings from a house account into a customer's account, newest first, each with its source. */
export function listArrivals(db: Executor, which: Which, page: { limit: number; offset: number }): Promise<Arrival[]> {
  return found(db, which).orderBy(desc(postings.id)).limit(page.limit).offset(page.offset)
}

/** The same per UTC day (yyyy-mm-dd), from the day `from` and before the day `until`: sum and count of each day, in order of the days. */
export async function arrivalsByDay(
  db: Executor,
  which: Which,
  { from: first, until }: { from: string; until: string }
): Promise<{ day: string; units: bigint; count: number }[]> {
  const arrivals = found(db, which).as('arrivals')
  const day = sql<string>`to_char(${arrivals.at} at time zone 'UTC', 'YYYY-MM-DD')`
  const rows = await db
    .select({ day, units: sql<string>`sum(${arrivals.amount})::text`, count: sql<number>`count(*)::int` })
    .from(arrivals)
    .where(
      sql`${arrivals.at} >= ${first}::date::timestamp at time zone 'UTC' and ${arrivals.at} < ${until}::date::timestamp at time zone 'UTC'`
    )
    .groupBy(day)
    .orderBy(day)
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}

export async function countArrivals(db: Executor, which: Which): Promise<number> {
  const [row] = await db.select({ count: sql<string>`count(*)::text` }).from(found(db, which).as('arrivals'))
  return Number(row?.count ?? 0)
}
