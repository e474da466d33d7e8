/** Transactions out of our wallets that the signer does not know: what they paid, as the node shows it. */
import { and, eq, gte } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import type { ChainNode, ChainPayment } from '../port.ts'
import { chainStrays } from '../schema.ts'

/** Blocks are read soon after they are made, on a machine whose clock may be off. */
const EARLIER_MS = 2 * 3_600_000

/**
 * The payments of such transactions, out of the blocks that were read since this time. Undefined if there are some and the chain is Bitcoin:
 * of its outputs we read only those to keys of our kind, and cannot tell who else was paid. Throws a NodeError if the node does not have a
 * block.
 */
export async function strayPayments(
  { db }: Pick<Context, 'db'>,
  node: ChainNode,
  since: Date
): Promise<ChainPayment[] | undefined> {
  const from = new Date(since.getTime() - EARLIER_MS)
  const strays = await db
    .select({ transactionId: chainStrays.transactionId, height: chainStrays.height })
    .from(chainStrays)
    .where(and(eq(chainStrays.chain, node.chain), gte(chainStrays.readAt, from)))
  if (node.chain === 'bitcoin' && strays.length > 0) return undefined
  const found: ChainPayment[] = []
  for (const height of new Set(strays.map((stray) => stray.height))) {
    const { transactions } = await node.blockAt(height)
    for (const { id, payments } of transactions)
      if (strays.some(({ transactionId }) => transactionId === id)) found.push(...payments)
  }
  return found
}
