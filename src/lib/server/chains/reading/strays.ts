/** Transactions with our keys that nobody of ours has signed: what they paid, as the node shows it. */
import { eq } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import type { ChainNode, ChainPayment } from '../port.ts'
import { chainStrays } from '../schema.ts'

/**
 * Undefined where that cannot be told: of Bitcoin's outputs a block shows those to keys like ours alone. Throws a NodeError if the node does not
 * have a block.
 */
export async function strayPayments({ db }: Pick<Context, 'db'>, node: ChainNode): Promise<ChainPayment[] | undefined> {
  const strays = await db.select().from(chainStrays).where(eq(chainStrays.chain, node.chain))
  if (node.chain === 'bitcoin' && strays.length > 0) return undefined
  const found: ChainPayment[] = []
  for (const height of new Set(strays.map((stray) => stray.height))) {
    const { transactions } = await node.blockAt(height)
    for (const { id, payments } of transactions)
      if (strays.some(({ transactionId }) => transactionId === id)) found.push(...payments)
  }
  return found
}
