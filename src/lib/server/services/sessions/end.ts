import { and, eq, isNull, type SQL } from 'drizzle-orm'
import { hashToken } from '../../crypto.ts'
import type { Executor } from '../../db/client.ts'
import { sessions } from '../../db/schema.ts'
import type { Context } from '../context.ts'

/** Ends the sessions that `which` names: their cookie, their access and their refresh tokens are worth nothing now. */
export async function endSessions(context: Context, db: Executor, which: SQL | undefined): Promise<void> {
  await db.update(sessions).set({ endedAt: context.clock() }).where(which)
}

export function endSession(context: Context, sessionId: string): Promise<void> {
  return endSessions(context, context.db, and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
}

/** For a page that has the cookie alone. */
export function endSessionOfCookie(context: Context, cookie: string): Promise<void> {
  return endSessions(context, context.db, and(eq(sessions.cookieHash, hashToken(cookie)), isNull(sessions.endedAt)))
}
