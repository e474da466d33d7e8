/** Broadcasts signed bytes until a block has them. A time-out proves nothing, so the same bytes are sent again and again. */
import { and, asc, eq, isNotNull, isNull, lt, ne, notExists, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import type { Context } from '../../platform/context.ts'
import type { JobKind } from '../../platform/jobs/kinds.ts'
import { requireLease } from '../../platform/jobs/take.ts'
import { type ChainNode, NodeError } from '../port.ts'
import { isPending } from '../reading/watch.ts'
import { chainAttempts, chainSends } from '../schema.ts'
import { findStop } from '../stops.ts'

const AGAIN_AFTER_MS = 60_000
const EVERY_SECONDS = 3
const AT_ONCE = 100
const ERROR_LENGTH = 300

const rival = alias(chainAttempts, 'rival')

/** Broadcasts the attempts that no block has, oldest first. One that the node refuses does not hold up the others. */
export async function broadcastDue(context: Context, node: ChainNode): Promise<void> {
  const { db, clock, log } = context
  if ((await findStop(db, node.chain)) || (await findStop(db, node.chain, 'sending'))) return
  const now = clock()
  const isInBlock = db
    .select({ id: rival.id })
    .from(rival)
    .where(and(eq(rival.sendId, chainAttempts.sendId), ne(rival.id, chainAttempts.id), lt(rival.height, 2 ** 31 - 1)))
  const due = await db
    .select({ id: chainAttempts.id, bytes: chainAttempts.bytes, transactionId: chainAttempts.transactionId })
    .from(chainAttempts)
    // Includes confirmed sends: a reorganisation may have removed their block.
    .innerJoin(chainSends, and(eq(chainSends.id, chainAttempts.sendId), ne(chainSends.state, 'failed')))
    .where(
      and(
        eq(chainAttempts.chain, node.chain),
        isPending,
        or(ne(chainSends.purpose, 'lost'), isNotNull(chainSends.releasedAt)),
        notExists(isInBlock),
        or(isNull(chainAttempts.broadcastAt), lt(chainAttempts.broadcastAt, new Date(now.getTime() - AGAIN_AFTER_MS)))
      )
    )
    .orderBy(asc(chainAttempts.id))
    .limit(AT_ONCE)
  for (const { id, bytes, transactionId } of due) {
    let lastError: string | null = null
    await requireLease(db)
    try {
      await node.broadcast(bytes)
    } catch (error) {
      if (!(error instanceof NodeError)) throw error
      lastError = error.message.slice(0, ERROR_LENGTH)
      log.warn({ chain: node.chain, transactionId, lastError }, 'a transaction was not taken')
    }
    await db.update(chainAttempts).set({ broadcastAt: now, lastError }).where(eq(chainAttempts.id, id))
  }
}

/** One job per chain. */
export function broadcastJobs(context: Context, nodeOf: (chain: Chain) => Promise<ChainNode>): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `broadcast_${chain}`,
    role: 'worker',
    everySeconds: EVERY_SECONDS,
    run: async () => broadcastDue(context, await nodeOf(chain))
  }))
}
