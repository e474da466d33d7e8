/** A hold blocks a customer's withdrawals until an operator has reviewed it. */
import { and, desc, eq, gt, isNull, or, type SQLWrapper, sql } from 'drizzle-orm'
import type { WithdrawalGate } from '#lib/domain/access/withdrawalGate.ts'
import { statementOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'
import type { Work } from '../platform/transaction.ts'
import { withdrawalHolds } from './schema.ts'

type Hold = Pick<typeof withdrawalHolds.$inferInsert, 'userId' | 'reason' | 'sourceType' | 'sourceId' | 'why' | 'endsAt'>

/** Puts a hold on a customer's withdrawals; a second one for the same source changes nothing, unless `isAgain`: then a released one holds again. */
export async function holdWithdrawals({ tx, now }: Work, hold: Hold, { isAgain = false } = {}): Promise<void> {
  const kept = tx.insert(withdrawalHolds).values({ ...hold, createdAt: now })
  const target = [withdrawalHolds.sourceType, withdrawalHolds.sourceId]
  await (isAgain ? kept.onConflictDoUpdate({ target, set: { releasedAt: null } }) : kept.onConflictDoNothing())
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

const isOpenAt = (at: Date) =>
  and(isNull(withdrawalHolds.releasedAt), or(isNull(withdrawalHolds.endsAt), gt(withdrawalHolds.endsAt, at)))

/** Returns the customers, among those given, who have an open hold. */
export async function heldAmong(db: Executor, userIds: string[], at: Date): Promise<string[]> {
  if (userIds.length === 0) return []
  const held = await db
    .selectDistinct({ userId: withdrawalHolds.userId })
    .from(withdrawalHolds)
    .where(and(anyOf(withdrawalHolds.userId, userIds), isOpenAt(at)))
  return held.map(({ userId }) => userId)
}

/** The holds of a customer: the open ones, then the newest. */
export function holdsOf(db: Executor, userId: string): Promise<(typeof withdrawalHolds.$inferSelect)[]> {
  return db
    .select()
    .from(withdrawalHolds)
    .where(eq(withdrawalHolds.userId, userId))
    .orderBy(
      sql`${withdrawalHolds.releasedAt} is not null`,
      desc(sql`coalesce(${withdrawalHolds.endsAt}, 'infinity')`),
      desc(withdrawalHolds.id)
    )
    .limit(100)
}

/** An open hold of a customer, locked until the transaction ends. */
export async function lockHold({ tx, now }: Work, userId: string, id: bigint) {
  const [hold] = await tx
    .select()
    .from(withdrawalHolds)
    .where(and(eq(withdrawalHolds.userId, userId), eq(withdrawalHolds.id, id), isOpenAt(now)))
    .for('update')
  return hold
}

/** The result of `access_gate`, as JSON. */
export type GateRow = { reason: WithdrawalGate['reason']; until: string | null }

/**
 * A customer's withdrawal gate as a column of another query. `isVerified`: whether the identity check is completed; passed in,
 * because identity is a later feature.
 */
export const gateSql = (userId: SQLWrapper | string, isVerified: SQLWrapper, now: SQLWrapper | string) => sql<GateRow>`(
  select json_build_object('reason', g.reason, 'until', g.until)
  from access_gate(${userId}::uuid, ${isVerified}, ${now}::timestamptz) g)`

const SECOND_MS = 1000

export type ReadGate = (db: Executor, userId: string, now: Date) => Promise<WithdrawalGate>

/** Makes what reads whether a customer may move coins away; the rule is in `access_gate.sql`. */
export function gateReader(isVerified: (userId: SQLWrapper) => SQLWrapper): ReadGate {
  const gate = statementOnce<{ gate: GateRow }>('withdrawal_gate', () => {
    const user = sql.placeholder('user')
    return sql`select ${gateSql(sql`${user}`, isVerified(sql`${user}`), sql`${sql.placeholder('at')}`)} as gate`
  })
  return async (db, userId, now) => {
    // By the second: what asks twice for one page asks the same.
    const at = new Date(Math.floor(now.getTime() / SECOND_MS) * SECOND_MS)
    const [row] = await gate(db, { user: userId, at: at.toISOString() })
    const { reason = null, until = null } = row?.gate ?? {}
    return { allowed: reason === null, reason, until: until === null ? null : new Date(until) }
  }
}
