/** Removes what nobody needs any more, so that no table grows without a bound. What concerns money is kept for ever. */
import { and, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { challenges, codes, idempotencyKeys, outbox, rateLimits, refreshTokens, sessions } from '../db/schema.ts'

const DAY_MS = 86_400_000
const KEYS_KEPT_DAYS = 7
const OUTBOX_KEPT_DAYS = 30
const SESSIONS_KEPT_DAYS = 90

export async function sweep({ db, clock }: Context): Promise<void> {
  const now = clock()
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  await db.delete(rateLimits).where(lt(rateLimits.resetsAt, now))
  await db.delete(codes).where(lt(codes.expiresAt, before(1)))
  await db.delete(challenges).where(lt(challenges.expiresAt, now))
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before(KEYS_KEPT_DAYS)))
  await db.delete(outbox).where(and(isNull(outbox.dueAt), lt(outbox.createdAt, before(OUTBOX_KEPT_DAYS))))
  const over = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      or(
        lt(sessions.expiresAt, before(SESSIONS_KEPT_DAYS)),
        and(isNotNull(sessions.endedAt), lt(sessions.endedAt, before(SESSIONS_KEPT_DAYS)))
      )
    )
  await db.delete(refreshTokens).where(inArray(refreshTokens.sessionId, over))
  await db.delete(sessions).where(inArray(sessions.id, over))
}
