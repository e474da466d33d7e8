/** Chains of our own for trying out: blocks lie in the database, and are mined, filled and reorganised on the page `/sandbox`. */
import { createHash, randomUUID } from 'node:crypto'
import { and, asc, desc, eq, gt } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { type Block, type ChainNode, type ChainPayment, NodeError } from './port.ts'
import { type StoredTransaction, sandboxBlocks, sandboxMempool } from './schema.ts'

type Parts = Pick<Context, 'db' | 'clock'>
type Row = typeof sandboxBlocks.$inferSelect
export type SandboxPayment = Pick<ChainPayment, 'address' | 'token' | 'amount'>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const ofChain = (chain: Chain) => eq(sandboxBlocks.chain, chain)

async function newest(db: Executor, chain: Chain): Promise<Row | undefined> {
  const [row] = await db.select().from(sandboxBlocks).where(ofChain(chain)).orderBy(desc(sandboxBlocks.height)).limit(1)
  return row
}

async function addBlock({ db, clock }: Parts, chain: Chain, transactions: StoredTransaction[]): Promise<Row> {
  const parent = await newest(db, chain)
  const [row] = await db
    .insert(sandboxBlocks)
    .values({
      chain,
      height: (parent?.height ?? -1) + 1,
      hash: hashOf(randomUUID()),
      parent: parent?.hash ?? '',
      transactions,
      minedAt: clock()
    })
    .returning()
  if (!row) throw new Error('The database returned no block')
  return row
}

export function sandboxChain(parts: Parts, chain: Chain): ChainNode {
  const { db } = parts
  async function rowAt(height: number): Promise<Row> {
    const [row] = await db
      .select()
      .from(sandboxBlocks)
      .where(and(ofChain(chain), eq(sandboxBlocks.height, height)))
    if (!row) throw new NodeError(`The sandbox has no block ${height}`)
    return row
  }
  return {
    chain,
    tip: async () => {
      const { height, hash } = (await newest(db, chain)) ?? (await addBlock(parts, chain, []))
      return { height, hash }
    },
    hashAt: async (height) => (await rowAt(height)).hash,
    blockAt: async (height) => present(await rowAt(height))
  }
}

function present({ height, hash, parent, transactions }: Row): Block {
  return {
    height,
    hash,
    parent,
    transactions: transactions.map((one) => ({
      ...one,
      payments: one.payments.map((payment) => ({ ...payment, amount: BigInt(payment.amount) }))
    }))
  }
}

/** Puts a transaction into the pool of those that wait for a block, and answers its id. */
export async function sandboxPay(
  { db }: Parts,
  chain: Chain,
  payments: SandboxPayment[],
  from: Partial<Pick<StoredTransaction, 'senders' | 'spends'>> = {}
): Promise<string> {
  const id = chain === 'ethereum' ? `0x${hashOf(randomUUID())}` : hashOf(randomUUID())
  const transaction = {
    id,
    senders: from.senders ?? [],
    spends: from.spends ?? [],
    payments: payments.map((payment, index) => ({ ...payment, index: String(index), amount: payment.amount.toString() }))
  }
  await db.insert(sandboxMempool).values({ chain, transaction })
  return id
}

/** Mines blocks; the first takes everything that waits. */
export async function sandboxMine(parts: Parts, chain: Chain, count = 1): Promise<void> {
  if (!(await newest(parts.db, chain))) await addBlock(parts, chain, [])
  const waiting = await parts.db
    .delete(sandboxMempool)
    .where(eq(sandboxMempool.chain, chain))
    .returning({ id: sandboxMempool.id, transaction: sandboxMempool.transaction })
  const inOrder = waiting.toSorted((a, b) => Number(a.id - b.id)).map(({ transaction }) => transaction)
  for (let mined = 0; mined < count; mined += 1) await addBlock(parts, chain, mined === 0 ? inOrder : [])
}

/**
 * Replaces the newest blocks by as many others and one more. Their transactions are in the first of the new ones, or wait again
 * where `isDropped`.
 */
export async function sandboxReorganise(parts: Parts, chain: Chain, depth: number, isDropped = false): Promise<void> {
  const { db } = parts
  const height = (await newest(db, chain))?.height ?? 0
  const gone = await db
    .delete(sandboxBlocks)
    .where(and(ofChain(chain), gt(sandboxBlocks.height, Math.max(0, height - depth))))
    .returning()
  const transactions = gone.toSorted((a, b) => a.height - b.height).flatMap((row) => row.transactions)
  for (let mined = 0; mined <= gone.length; mined += 1)
    await addBlock(parts, chain, mined === 0 && !isDropped ? transactions : [])
  if (isDropped && transactions.length > 0)
    await db.insert(sandboxMempool).values(transactions.map((transaction) => ({ chain, transaction })))
}

/** What waits for a block. */
export async function sandboxWaiting({ db }: Parts, chain: Chain): Promise<number> {
  return (
    await db
      .select({ id: sandboxMempool.id })
      .from(sandboxMempool)
      .where(eq(sandboxMempool.chain, chain))
      .orderBy(asc(sandboxMempool.id))
  ).length
}
