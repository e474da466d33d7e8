/** A customer's addresses, and the assignment of new ones. */
import { and, desc, eq, isNull, max, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { users } from '../../access/index.ts'
import type { Context } from '../../platform/context.ts'
import { builtOnce } from '../../platform/db/builtOnce.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError, UnavailableError } from '../../platform/errors.ts'
import { transact } from '../../platform/transaction.ts'
import { chainAddresses, chainBlocks } from '../schema.ts'
import { isProven } from './proof.ts'

export type AddressRow = typeof chainAddresses.$inferSelect

/** Old addresses stay watched for ever, so their number is limited. */
const MOST_ADDRESSES = 20

const isTheirs = (userId: string, chain: Chain) => and(eq(chainAddresses.userId, userId), eq(chainAddresses.chain, chain))

/**
 * The customer's address on a chain: the current one, or one from the pool. `isNew` asks for another one; this works on Bitcoin only,
 * since an account of the other chains is used again and again. Old addresses stay assigned. Throws `addresses_used_up`, and
 * UnavailableError (503) if the chain is not read yet or the pool has no address with the signer's signature.
 */
export async function giveAddress(
  context: Context,
  proof: string,
  asked: { userId: string; chain: Chain; isNew: boolean }
): Promise<AddressRow> {
  const { userId, chain } = asked
  return transact(context, async ({ tx, now }) => {
    // Two requests at once must not take two addresses.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const known = await tx.select().from(chainAddresses).where(isTheirs(userId, chain)).orderBy(desc(chainAddresses.id))
    const current = known.find((row) => isRight(context, proof, row))
    if (current && !(asked.isNew && chain === 'bitcoin')) return current
    if (known.length >= MOST_ADDRESSES) throw new AppError('addresses_used_up', { params: { most: MOST_ADDRESSES } })
    // A payment to an address would be missed if the chain is not read yet.
    if ((await newestHeights(tx))[chain] === undefined) throw new UnavailableError(`${chain} is not read yet`)
    const free = await newestFree(tx, chain, LOOKED_AT).for('update', { skipLocked: true })
    const taken = free.find((row) => isRight(context, proof, row))
    if (!taken) throw new UnavailableError(`No address of ${chain} is free: the signer derives them ahead`)
    await tx.update(chainAddresses).set({ userId, assignedAt: now }).where(eq(chainAddresses.id, taken.id))
    return { ...taken, userId, assignedAt: now }
  })
}

const LOOKED_AT = 5

/** Deposit addresses that no customer has. Newest first: those of an earlier seed do not have this signer's signature. */
export function newestFree(db: Executor, chain: Chain, limit: number) {
  return db
    .select()
    .from(chainAddresses)
    .where(
      and(
        eq(chainAddresses.chain, chain),
        isNull(chainAddresses.userId),
        isNull(chainAddresses.retiredAt),
        eq(chainAddresses.purpose, 'deposit')
      )
    )
    .orderBy(desc(chainAddresses.id))
    .limit(limit)
}

function isRight({ log }: Context, proof: string, row: AddressRow): boolean {
  if (isProven(proof, row)) return true
  log.error({ chain: row.chain, address: row.address }, 'an address was not signed by the signer')
  return false
}

const newestOf = (db: Executor) => db.selectDistinctOn([chainAddresses.chain]).from(chainAddresses).$dynamic()
const byAge = [chainAddresses.chain, desc(chainAddresses.id)] as const
type Addresses = Partial<Record<Chain, AddressRow>>

const byChain = (proof: string, rows: AddressRow[]): Addresses =>
  Object.fromEntries(rows.flatMap((row) => (isProven(proof, row) ? [[row.chain, row]] : [])))

const newest = builtOnce((db) =>
  newestOf(db)
    .where(eq(chainAddresses.userId, sql.placeholder('user')))
    .orderBy(...byAge)
    .prepare('addresses')
)

/** The customer's newest address of each chain. */
export async function addressesOf(db: Executor, proof: string, userId: string): Promise<Addresses> {
  return byChain(proof, await newest(db).execute({ user: userId }))
}

/**
 * Sets all free addresses aside, so that nobody is given one that somebody else may know. The signer then derives new ones. Returns how many of
 * each chain.
 */
export async function retireAddresses({ db, clock }: Context): Promise<Partial<Record<Chain, number>>> {
  const retired = await db
    .update(chainAddresses)
    .set({ retiredAt: clock() })
    .where(and(isNull(chainAddresses.userId), isNull(chainAddresses.retiredAt), eq(chainAddresses.purpose, 'deposit')))
    .returning({ chain: chainAddresses.chain })
  const counts: Partial<Record<Chain, number>> = {}
  for (const { chain } of retired) counts[chain] = (counts[chain] ?? 0) + 1
  return counts
}

/** The height up to which each chain has been read. */
export async function newestHeights(db: Executor): Promise<Partial<Record<Chain, number>>> {
  const rows = await db
    .select({ chain: chainBlocks.chain, height: max(chainBlocks.height) })
    .from(chainBlocks)
    .groupBy(chainBlocks.chain)
  return Object.fromEntries(rows.map(({ chain, height }) => [chain, height]))
}

export async function readAddressRow(db: Executor, id: bigint): Promise<AddressRow> {
  const [row] = await db.select().from(chainAddresses).where(eq(chainAddresses.id, id))
  if (!row) throw new Error(`There is no address ${id}`)
  return row
}
