/**
 * The stock: tokens of a chain that we give away must exist as coins. What the treasury does not have is lent by the account `owed`, so that
 * the books say at any time how many tokens were sold or given without coins. PTC has no chain, and so no stock.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import type { HouseKind } from '#lib/domain/ledger/holdings.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf, type Transaction } from '../platform/db/client.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { houseBalance } from './holdings.ts'
import { type Account, house, post, type Transfer } from './post.ts'
import { HOUSE_ID } from './schema.ts'
import type { LedgerCheck } from './verify.ts'

const ofHouse = (...kinds: string[]) =>
  sql.raw(
    `coalesce(sum(balance) filter (where owner_id = '${HOUSE_ID}' and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`
  )
const ofCustomers = sql.raw(`coalesce(sum(balance) filter (where owner_id <> '${HOUSE_ID}'), 0)`)
const tokens = sql.raw(DEPOSITABLE.map((token) => `'${token}'`).join(', '))

const smaller = (one: bigint, other: bigint) => (one < other ? one : other)
const positive = (value: bigint) => (value > 0n ? value : 0n)

/** Until the transaction ends, nobody else takes from the stock: the treasury's balance is a sum of several rows. */
async function lockStock(tx: Executor, currency: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`stock:${currency}`}, 0))`)
}

/** What these transfers take from one of our accounts, less what they bring. */
function takenFrom(kind: HouseKind, transfers: Transfer[]): bigint {
  const isIt = (account: Account) => account.owner === HOUSE_ID && account.kind === kind
  return transfers.reduce(
    (sum, { source, destination, amount }) => sum + (isIt(source) ? amount : 0n) - (isIt(destination) ? amount : 0n),
    0n
  )
}

/**
 * The transfers of one booking, after those that they need: the treasury pays what the account of rewards lacks, and `owed` lends what the
 * treasury lacks. Looks at all of them together, because each of several could be paid from what the treasury has, and all of them not. The
 * caller books them in this transaction.
 */
export async function withStock(tx: Transaction, transfers: Transfer[]): Promise<Transfer[]> {
  return [...(await stockFor(tx, transfers)), ...transfers]
}

/** What must be booked before these transfers, in the same transaction (`withStock`); they may be of several bookings. */
export async function stockFor(tx: Transaction, transfers: Transfer[]): Promise<Transfer[]> {
  const needed: Transfer[] = []
  for (const currency of DEPOSITABLE) {
    const own = transfers.filter((one) => one.currency === currency)
    const [rewards, treasury] = [takenFrom('rewards', own), takenFrom('treasury', own)]
    if (rewards <= 0n && treasury <= 0n) continue
    await lockStock(tx, currency)
    const forRewards = rewards > 0n ? positive(rewards - positive(await houseBalance(tx, 'rewards', currency))) : 0n
    const lent = positive(treasury + forRewards - positive(await houseBalance(tx, 'treasury', currency)))
    if (lent > 0n) needed.push({ source: house('owed'), destination: house('treasury'), currency, amount: lent })
    if (forRewards > 0n) needed.push({ source: house('treasury'), destination: house('rewards'), currency, amount: forRewards })
  }
  return needed
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
  const [row] = rowsOf<Record<keyof Cover, string>>(
    await db.execute(sql`
      select (-${ofHouse('chain', 'cold')})::text as coins, (${ofCustomers})::text as claims, (-${ofHouse('owed')})::text as owed
      from accounts where currency = ${currency}`)
  )
  return { coins: BigInt(row?.coins ?? 0), claims: BigInt(row?.claims ?? 0), owed: BigInt(row?.owed ?? 0) }
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
      const [rewards, treasury] = [await houseBalance(tx, 'rewards', currency), await houseBalance(tx, 'treasury', currency)]
      const owed = -(await houseBalance(tx, 'owed', currency))
      const toRewards = positive(-rewards)
      // What the treasury has once the account of rewards is covered.
      const left = treasury - toRewards
      const back = smaller(positive(left), owed)
      const parts: [HouseKind, HouseKind, bigint][] = [
        ['owed', 'treasury', positive(-left)],
        ['treasury', 'rewards', toRewards],
        ['treasury', 'owed', back]
      ]
      const transfers = parts.flatMap(([from, to, amount]) =>
        amount > 0n ? [{ source: house(from), destination: house(to), currency, amount }] : []
      )
      if (transfers.length > 0) await settle(work, transfers)
    })
}

async function settle({ tx, now }: Work, transfers: Transfer[]): Promise<void> {
  const id = randomUUID()
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
