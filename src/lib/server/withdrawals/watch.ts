/** What the monitor asks about withdrawals. */
import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { WaitReason } from '#lib/domain/withdrawals/withdrawal.ts'
import type { Executor } from '../platform/db/client.ts'
import { withdrawals } from './schema.ts'

/** How many wait for a person, and for how many seconds the oldest does. */
export async function reviewAges(db: Executor, now: Date): Promise<bigint[]> {
  const rows = await db
    .select({ at: withdrawals.requestedAt })
    .from(withdrawals)
    .where(eq(withdrawals.state, 'review'))
    .orderBy(asc(withdrawals.requestedAt))
    .limit(1000)
  return rows.map(({ at }) => BigInt(Math.floor((now.getTime() - at.getTime()) / 1000)))
}

/** For how many seconds the oldest signed payment of each chain is in no block. */
export async function stuckAges(db: Executor, now: Date): Promise<{ chain: string; seconds: bigint }[]> {
  const rows = await db
    .select({ chain: withdrawals.chain, at: sql<string | Date>`min(${withdrawals.signedAt})` })
    .from(withdrawals)
    .where(and(eq(withdrawals.state, 'signed'), isNotNull(withdrawals.signedAt)))
    .groupBy(withdrawals.chain)
  return rows.map(({ chain, at }) => ({ chain, seconds: BigInt(Math.floor((now.getTime() - new Date(at).getTime()) / 1000)) }))
}

export async function countWaiting(db: Executor, waits: WaitReason): Promise<bigint> {
  const [row] = await db
    .select({ count: count() })
    .from(withdrawals)
    .where(and(eq(withdrawals.state, 'approved'), eq(withdrawals.waits, waits)))
  return BigInt(row?.count ?? 0)
}
