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

export async function countArrivals(db: Executor, which: Which): Promise<number> {
  const [row] = await db.select({ count: sql<string>`count(*)::text` }).from(found(db, which).as('arrivals'))
  return Number(row?.count ?? 0)
}
