import { and, eq, ne, sql } from 'drizzle-orm'
import { CUSTOMER_KINDS, type CustomerKind, emptyHolding, type Holding, type HouseKind } from '#lib/domain/ledger/holdings.ts'
import type { Database, Executor, Transaction } from '../platform/db/client.ts'
import { accounts, HOUSE_ID } from './schema.ts'

type Row = { currency: string; kind: string; balance: bigint }

function isCustomerKind(kind: string): kind is CustomerKind {
  return CUSTOMER_KINDS.some((known) => known === kind)
}

function gather(rows: Row[]): Map<string, Holding> {
  const holdings = new Map<string, Holding>()
  for (const { currency, kind, balance } of rows) {
    const holding = holdings.get(currency) ?? emptyHolding()
    if (isCustomerKind(kind)) holding[kind] = balance
    holdings.set(currency, holding)
  }
  return holdings
}

const columns = { currency: accounts.currency, kind: accounts.kind, balance: accounts.balance }

/** A customer's accounts by currency, in smallest units; a currency that was never booked is not in it. */
export async function holdingsOf(db: Executor, userId: string): Promise<Map<string, Holding>> {
  return gather(await db.select(columns).from(accounts).where(eq(accounts.ownerId, userId)))
}

function prepare(db: Database) {
  return db
    .select(columns)
    .from(accounts)
    .where(eq(accounts.ownerId, sql.placeholder('owner')))
    .prepare('holdings')
}

const prepared = new WeakMap<Database, ReturnType<typeof prepare>>()

/** The same as `holdingsOf` outside a transaction, by a prepared statement: every signed-in page asks for it. */
export async function preparedHoldings(db: Database, userId: string): Promise<Map<string, Holding>> {
  const query = prepared.get(db) ?? prepare(db)
  prepared.set(db, query)
  return gather(await query.execute({ owner: userId }))
}

/** What a customer has of one currency, locked until the transaction ends: what was read is what can be booked. */
export async function lockedHolding(tx: Transaction, userId: string, currency: string): Promise<Holding> {
  const rows = await tx
    .select(columns)
    .from(accounts)
    .where(and(eq(accounts.ownerId, userId), eq(accounts.currency, currency)))
    .orderBy(accounts.id)
    .for('update')
  return gather(rows).get(currency) ?? emptyHolding()
}

/** The balance of a house account, which is kept in several rows. */
export async function houseBalance(db: Executor, kind: HouseKind, currency: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: sql<string>`coalesce(sum(${accounts.balance}), 0)::text` })
    .from(accounts)
    .where(and(eq(accounts.ownerId, HOUSE_ID), eq(accounts.kind, kind), eq(accounts.currency, currency)))
  return BigInt(row?.balance ?? 0)
}

/** What the fund of staking rewards has, locked until the transaction ends: no other booking can take of it meanwhile. */
export async function lockedFund(tx: Transaction, currency: string): Promise<bigint> {
  const [row] = await tx
    .select({ balance: accounts.balance })
    .from(accounts)
    .where(and(eq(accounts.ownerId, HOUSE_ID), eq(accounts.kind, 'staking_rewards'), eq(accounts.currency, currency)))
    .for('update')
  return row?.balance ?? 0n
}

/** What all customers have of a currency, over all their accounts. */
export async function customersTotal(db: Executor, currency: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: sql<string>`coalesce(sum(${accounts.balance}), 0)::text` })
    .from(accounts)
    .where(and(ne(accounts.ownerId, HOUSE_ID), eq(accounts.currency, currency)))
  return BigInt(row?.balance ?? 0)
}
