import { and, eq, sql } from 'drizzle-orm'
import { CUSTOMER_KINDS, type CustomerKind, emptyHolding, type Holding, type HouseKind } from '#lib/domain/ledger/holdings.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import { type Executor, rowsOf, type Transaction } from '../platform/db/client.ts'
import { accounts, HOUSE_ID } from './schema.ts'

type Row = { currency: string; kind: string; balance: bigint }

function isCustomerKind(kind: string): kind is CustomerKind {
  return CUSTOMER_KINDS.some((known) => known === kind)
}

function byToken(rows: Row[]): Map<string, Holding> {
  const holdings = new Map<string, Holding>()
  for (const { currency, kind, balance } of rows) {
    const holding = holdings.get(currency) ?? emptyHolding()
    if (isCustomerKind(kind)) holding[kind] = balance
    holdings.set(currency, holding)
  }
  return holdings
}

const columns = { currency: accounts.currency, kind: accounts.kind, balance: accounts.balance }

/** A customer's balances by currency, in smallest units. A currency that was never booked is missing. */
export async function holdingsOf(db: Executor, userId: string): Promise<Map<string, Holding>> {
  return byToken(await holdings(db).execute({ owner: userId }))
}

const holdings = builtOnce((db) =>
  db
    .select(columns)
    .from(accounts)
    .where(eq(accounts.ownerId, sql.placeholder('owner')))
    .prepare('holdings')
)

/** The rows of `ledger_lock`: the accounts stay locked until the transaction ends. `kind`: null for all. */
async function lockedAccounts(tx: Transaction, owner: string, currency: string, kind: string | null): Promise<Row[]> {
  const rows = rowsOf<{ kind: string; balance: string }>(
    await tx.execute(sql`select kind, balance::text from ledger_lock(${owner}::uuid, ${currency}, ${kind}::text)`)
  )
  return rows.map((row) => ({ currency, kind: row.kind, balance: BigInt(row.balance) }))
}

/** A customer's balances in one currency, locked until the transaction ends, so that no other booking changes them before this one. */
export async function lockedHolding(tx: Transaction, userId: string, currency: string): Promise<Holding> {
  return byToken(await lockedAccounts(tx, userId, currency, null)).get(currency) ?? emptyHolding()
}

/** What all customers have in withdrawals under way. */
export async function outgoingTotal(db: Executor, currency: string): Promise<bigint> {
  const [row] = await db
    .select({ sum: sql<string>`coalesce(sum(${accounts.balance}), 0)::text` })
    .from(accounts)
    .where(and(eq(accounts.kind, 'outgoing'), eq(accounts.currency, currency)))
  return BigInt(row?.sum ?? 0)
}

/** The balance of a house account, which is kept in several rows. */
export async function houseBalance(db: Executor, kind: HouseKind, currency: string): Promise<bigint> {
  const [row] = await db
    .select({ balance: sql<string>`coalesce(sum(${accounts.balance}), 0)::text` })
    .from(accounts)
    .where(and(eq(accounts.ownerId, HOUSE_ID), eq(accounts.kind, kind), eq(accounts.currency, currency)))
  return BigInt(row?.balance ?? 0)
}

/** The house's accounts that are not at zero, by currency. */
export async function houseBalances(db: Executor): Promise<{ currency: string; kind: HouseKind; balance: bigint }[]> {
  const rows = await db
    .select({ currency: accounts.currency, kind: accounts.kind, balance: sql<string>`sum(${accounts.balance})::text` })
    .from(accounts)
    .where(eq(accounts.ownerId, HOUSE_ID))
    .groupBy(accounts.currency, accounts.kind)
    .having(sql`sum(${accounts.balance}) <> 0`)
    .orderBy(accounts.currency, accounts.kind)
  return rows.map((row) => ({ ...row, kind: row.kind as HouseKind, balance: BigInt(row.balance) }))
}

/**
 * The balance of the fund of staking rewards, locked until the transaction ends, so that no other booking takes from it before this
 * one.
 */
export async function lockedFund(tx: Transaction, currency: string): Promise<bigint> {
  const [row] = await lockedAccounts(tx, HOUSE_ID, currency, 'staking_rewards')
  return row?.balance ?? 0n
}
