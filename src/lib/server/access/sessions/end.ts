import { and, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken } from '../../platform/crypto.ts'
import type { Executor } from '../../platform/db/client.ts'
import { anyOf } from '../../platform/db/columns.ts'
import { AppError } from '../../platform/errors.ts'
import { sessions } from '../schema.ts'

type Ending = { tx: Executor; now: Date }

/** Ends the sessions that `which` names: their cookie, access tokens and refresh tokens no longer work. */
export async function endSessions({ tx, now }: Ending, which: SQL | undefined): Promise<void> {
  await tx.update(sessions).set({ endedAt: now }).where(which)
}

const alone = ({ db, clock }: Context): Ending => ({ tx: db, now: clock() })

export function endSession(context: Context, sessionId: string): Promise<void> {
  return endSessions(alone(context), and(eq(sessions.id, sessionId), isNull(sessions.endedAt)))
}

/** Ends one of the customer's own sessions. Throws `session_not_found`, also for somebody else's. */
export async function endOwnSession(context: Context, customer: Customer, sessionId: string): Promise<void> {
  const mine = and(eq(sessions.id, sessionId), eq(sessions.userId, customer.userId), isNull(sessions.endedAt))
  const [ended] = await context.db.update(sessions).set({ endedAt: context.clock() }).where(mine).returning({ id: sessions.id })
  if (!ended) throw new AppError('session_not_found')
}

export function endOtherSessions(context: Context, customer: Customer): Promise<void> {
  const others = and(eq(sessions.userId, customer.userId), ne(sessions.id, customer.sessionId), isNull(sessions.endedAt))
  return endSessions(alone(context), others)
}

/** Returns the sessions, among those given, that have ended. */
export async function endedAmong(db: Executor, sessionIds: string[]): Promise<string[]> {
  const ended = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(anyOf(sessions.id, sessionIds), isNotNull(sessions.endedAt)))
  return ended.map(({ id }) => id)
}

/** For a page, which has only the cookie. */
export function endSessionOfCookie(context: Context, cookie: string): Promise<void> {
  return endSessions(alone(context), and(eq(sessions.cookieHash, hashToken(cookie)), isNull(sessions.endedAt)))
}

/** Ends all sessions of a customer, for staff. */
export async function endSessionsOfUser({ tx, now }: Ending, userId: string): Promise<void> {
  await tx.execute(sql`select access_end_sessions(${userId}::uuid, ${now.toISOString()}::timestamptz)`)
}
