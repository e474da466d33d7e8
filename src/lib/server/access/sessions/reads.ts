/** Every request looks its session up, so the statements are prepared. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../platform/db/client.ts'
import { sessions, users } from '../../platform/db/schema.ts'

export function prepareSessionReads(db: Database) {
  const live = () =>
    db
      .select({
        userId: users.id,
        email: users.email,
        sessionId: sessions.id,
        expiresAt: sessions.expiresAt,
        confirmedAt: sessions.confirmedAt,
        lockedAt: users.withdrawalsLockedAt
      })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
  return {
    byCookie: live()
      .where(and(eq(sessions.cookieHash, sql.placeholder('hash')), isNull(sessions.endedAt)))
      .prepare('session_by_cookie'),
    byId: live()
      .where(and(eq(sessions.id, sql.placeholder('id')), isNull(sessions.endedAt)))
      .prepare('session_by_id')
  }
}

export type SessionReads = ReturnType<typeof prepareSessionReads>
