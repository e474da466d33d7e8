/**
 * The stock: tokens of a chain that we give away must exist as coins. What the treasury does not have is lent by the account `owed`, so that
 * the books say at any time how many tokens were sold or given without coins. PTC has no chain, and so no stock.
 */
import { sql } from 'drizzle-orm'
import { DEPOSITABLE, isChainToken } from '#lib/domain/chains/chains.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf, type Transaction } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { customersTotal, houseBalance } from './holdings.ts'
import { house, post, type Transfer } from './post.ts'
import { HOUSE_ID } from './schema.ts'
import type { LedgerCheck } from './verify.ts'

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
const positive = (value: bigint) => (value > 0n ? value : 0n)

/** Until the transaction ends, nobody else takes from the stock: the treasury's balance is a sum of several rows. */
async function lockStock(tx: Executor, currency: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`stock:${currency}`}, 0))`)
}

/**
 * What must be booked before `amount` leaves the treasury: `owed` lends what the treasury lacks. The caller books it with its own transfers, in
 * the same transaction.
 */
export async function lendStock(tx: Transaction, currency: string, amount: bigint): Promise<Transfer[]> {
  if (!isChainToken(currency)) return []
  await lockStock(tx, currency)
  const missing = amount - positive(await houseBalance(tx, 'treasury', currency))
  return missing > 0n ? [{ source: house('owed'), destination: house('treasury'), currency, amount: missing }] : []
}

/** The same for `amount` that leaves the account of rewards: what was taken back is used first, then the treasury pays. */
export async function lendRewards(tx: Transaction, currency: string, amount: bigint): Promise<Transfer[]> {
  if (!isChainToken(currency)) return []
  await lockStock(tx, currency)
  const missing = amount - positive(await houseBalance(tx, 'rewards', currency))
  if (missing <= 0n) return []
  const lent = await lendStock(tx, currency, missing)
  return [...lent, { source: house('treasury'), destination: house('rewards'), currency, amount: missing }]
}

/** What a token's balances are covered by, in smallest units. */
export type Cover = {
  /** By the books, at all our addresses and in cold storage. */
  coins: bigint
  /** All balances of customers. */
  claims: bigint
  /** Tokens that we sold or gave away without having the coins. */
  owed: bigint
}

export async function coverOf(db: Executor, currency: string): Promise<Cover> {
  const [chain, cold, owed] = [
    await houseBalance(db, 'chain', currency),
    await houseBalance(db, 'cold', currency),
    await houseBalance(db, 'owed', currency)
  ]
  return { coins: -chain - cold, claims: await customersTotal(db, currency), owed: -owed }
}

/**
 * Pays back what was lent, as soon as the treasury has it, and covers accounts that are below zero: an earlier release knew no `owed`, and a
 * payment to us may have been taken out of the chain.
 */
export async function settleStock(context: Context): Promise<void> {
  for (const currency of DEPOSITABLE)
    await transact(context, async (work) => {
      const { tx } = work
      await lockStock(tx, currency)
      const rewards = await houseBalance(tx, 'rewards', currency)
      if (rewards < 0n) {
        const lent = await lendStock(tx, currency, -rewards)
        await settle(work, currency, [
          ...lent,
          { source: house('treasury'), destination: house('rewards'), currency, amount: -rewards }
        ])
      }
      const treasury = await houseBalance(tx, 'treasury', currency)
      const owed = -(await houseBalance(tx, 'owed', currency))
      if (treasury < 0n)
        await settle(work, currency, [{ source: house('owed'), destination: house('treasury'), currency, amount: -treasury }])
      const back = smaller(positive(treasury), owed)
      if (back > 0n)
        await settle(work, currency, [{ source: house('treasury'), destination: house('owed'), currency, amount: back }])
    })
}

async function settle({ tx, now }: Work, currency: string, transfers: Transfer[]): Promise<void> {
  const [row] = rowsOf<{ last: string }>(
    await tx.execute(sql`select coalesce(max(id), 0)::text as last from ledger_transactions`)
  )
  const id = `${currency}:${row?.last ?? 0}`
  await post(tx, {
    reason: 'stock_settled',
    source: { type: 'adjustment', id },
    reference: `stock:${id}`,
    actor: systemActor('stock'),
    transfers,
    at: now
  })
}

const EVERY_SECONDS = 300

export function stockJob(context: Context): JobKind {
  return { name: 'stock', role: 'worker', everySeconds: EVERY_SECONDS, run: () => settleStock(context) }
}

const ofHouse = (...kinds: string[]) =>
  sql.raw(
    `coalesce(sum(balance) filter (where owner_id = '${HOUSE_ID}' and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`
  )
const ofCustomers = sql.raw(`coalesce(sum(balance) filter (where owner_id <> '${HOUSE_ID}'), 0)`)
const tokens = sql.raw(DEPOSITABLE.map((token) => `'${token}'`).join(', '))

export const stockChecks: LedgerCheck[] = [
  {
    says: 'the treasury is below zero, although owed lends what it lacks',
    query: sql`
      select currency || ': ' || ${ofHouse('treasury')} as what from accounts where currency in (${tokens})
      group by currency having ${ofHouse('treasury')} < 0`
  },
  {
    says: 'customers have more than there are coins, beyond what is owed',
    query: sql`
      select currency || ': ' || ${ofCustomers} || ' less ' || -${ofHouse('owed')} || ' owed, against ' || -${ofHouse('chain', 'cold')} as what
      from accounts where currency in (${tokens})
      group by currency having ${ofCustomers} + ${ofHouse('owed')} > -${ofHouse('chain', 'cold')}`
  }
]
