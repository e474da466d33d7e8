/** Session look-ups. Every request makes one, so the statements are prepared, once per database. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { builtOnce } from '../../platform/db/builtOnce.ts'
import { sessions, users } from '../schema.ts'

export const sessionReads = builtOnce((db) => {
  const live = () =>
    db
      .select({
        userId: users.id,
        email: users.email,
        sessionId: sessions.id,
        expiresAt: sessions.expiresAt,
        provedAt: sessions.provedAt,
        lockedAt: users.lockedAt,
        displayCurrency: users.displayCurrency,
        timeZone: users.timeZone
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
})
