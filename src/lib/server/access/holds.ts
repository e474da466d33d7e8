/** Holds keep a customer's withdrawals back until an operator has looked. */
import { and, eq, inArray, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { withdrawalHolds } from './schema.ts'

type Hold = Pick<typeof withdrawalHolds.$inferInsert, 'userId' | 'reason' | 'sourceType' | 'sourceId'>

/** Puts a hold on a customer's withdrawals; a second one for the same source changes nothing. */
export async function holdWithdrawals({ tx, now }: Work, hold: Hold): Promise<void> {
  await tx
    .insert(withdrawalHolds)
    .values({ ...hold, createdAt: now })
    .onConflictDoNothing()
}

/** Ends a hold whose cause is gone. */
export async function liftHold(
  { tx, now }: Work,
  { sourceType, sourceId }: Pick<Hold, 'sourceType' | 'sourceId'>
): Promise<void> {
  const cause = and(eq(withdrawalHolds.sourceType, sourceType), eq(withdrawalHolds.sourceId, sourceId))
  await tx
    .update(withdrawalHolds)
    .set({ releasedAt: now })
    .where(and(cause, isNull(withdrawalHolds.releasedAt)))
}

/** Those of the customers at whom an operator must look first. */
export async function heldAmong(db: Executor, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const held = await db
    .selectDistinct({ userId: withdrawalHolds.userId })
    .from(withdrawalHolds)
    .where(and(inArray(withdrawalHolds.userId, userIds), isNull(withdrawalHolds.releasedAt)))
  return held.map(({ userId }) => userId)
}

/** Whether an operator must look at a customer first, as a part of another question. */
export const heldSql = (userId: SQLWrapper | string) =>
  sql<boolean>`exists (select 1 from ${withdrawalHolds} where ${withdrawalHolds.userId} = ${userId} and ${withdrawalHolds.releasedAt} is null)`

export async function hasHold(db: Executor, userId: string): Promise<boolean> {
  const [hold] = await db
    .select({ id: withdrawalHolds.id })
    .from(withdrawalHolds)
    .where(and(eq(withdrawalHolds.userId, userId), isNull(withdrawalHolds.releasedAt)))
    .limit(1)
  return hold !== undefined
}
