/** Transactions out of our wallets that the signer does not know: what they paid, as the node shows it. */
import { and, eq, gte } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import type { ChainNode, ChainPayment } from '../port.ts'
import { chainStrays } from '../schema.ts'

/** Blocks are read soon after they are made, on a machine whose clock may be off. */
const EARLIER_MS = 2 * 3_600_000

/** Such a transaction: when its block was read, and what it paid. */
export type Stray = { readAt: Date; payments: ChainPayment[] | undefined }

/**
 * Those of blocks that were read since this time. The payments are undefined on Bitcoin: of its outputs we read only those to keys of our kind,
 * and cannot tell who else was paid. Throws a NodeError if the node does not have a block.
 */
export async function straysSince({ db }: Pick<Context, 'db'>, node: ChainNode, since: Date): Promise<Stray[]> {
  const { transactionId, height, readAt } = chainStrays
  const strays = await db
    .select({ transactionId, height, readAt })
    .from(chainStrays)
    .where(and(eq(chainStrays.chain, node.chain), gte(readAt, earlier(since))))
  if (node.chain === 'bitcoin') return strays.map((stray) => ({ readAt: stray.readAt, payments: undefined }))
  const found: Stray[] = []
  for (const at of new Set(strays.map((stray) => stray.height))) {
    const { transactions } = await node.blockAt(at)
    for (const stray of strays.filter((one) => one.height === at))
      found.push({ readAt: stray.readAt, payments: transactions.find(({ id }) => id === stray.transactionId)?.payments ?? [] })
  }
  return found
}

/** True if it may have paid what was asked for at this time. */
export const isAfter = ({ readAt }: Stray, askedAt: Date): boolean => readAt >= earlier(askedAt)

const earlier = (time: Date) => new Date(time.getTime() - EARLIER_MS)
