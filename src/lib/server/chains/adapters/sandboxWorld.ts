/** What the page `/sandbox` does to the simulated chains: payments of strangers, blocks, reorganisations. */
import { randomUUID } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { ChainPayment } from '../port.ts'
import { type StoredTransaction, sandboxBlocks, sandboxMempool } from '../schema.ts'
import { addBlock, alone, firstBlock, hashOf, newest, ofChain, type Parts, seconds } from './sandbox.ts'

export type SandboxPayment = Pick<ChainPayment, 'address' | 'token' | 'amount'>

/** Adds a transaction to the mempool and returns its id. */
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

/** Mines blocks; the first one takes the whole mempool, except for expired transactions. */
export async function sandboxMine(parts: Parts, chain: Chain, count = 1): Promise<void> {
  await alone(parts, chain, async (own) => {
    await firstBlock(chain)(own)
    const waiting = await own.db
      .delete(sandboxMempool)
      .where(eq(sandboxMempool.chain, chain))
      .returning({ id: sandboxMempool.id, transaction: sandboxMempool.transaction })
    const now = seconds(own.clock())
    const inOrder = waiting
      .toSorted((a, b) => Number(a.id - b.id))
      .map(({ transaction }) => transaction)
      .filter(({ expiresAt }) => expiresAt === undefined || BigInt(expiresAt) >= now)
    for (let mined = 0; mined < count; mined += 1) await addBlock(own, chain, mined === 0 ? inOrder : [])
  })
}

/**
 * Replaces the newest `depth` blocks by as many new ones and one more. Their transactions go into the first new block or, with
 * `isDropped`, back to the mempool.
 */
export async function sandboxReorganise(parts: Parts, chain: Chain, depth: number, isDropped = false): Promise<void> {
  await alone(parts, chain, async (own) => {
    const { db } = own
    const height = (await newest(db, chain))?.height ?? 0
    const gone = await db
      .delete(sandboxBlocks)
      .where(and(ofChain(chain), gt(sandboxBlocks.height, Math.max(0, height - depth))))
      .returning()
    const transactions = gone.toSorted((a, b) => a.height - b.height).flatMap((row) => row.transactions)
    for (let mined = 0; mined <= gone.length; mined += 1)
      await addBlock(own, chain, mined === 0 && !isDropped ? transactions : [])
    if (isDropped && transactions.length > 0)
      await db.insert(sandboxMempool).values(transactions.map((transaction) => ({ chain, transaction })))
  })
}
