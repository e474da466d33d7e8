/** Sessions of the desk: one a person, opened by a passkey alone, for eight hours, and ended with every change of the person's roles. */
import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { rightsOf } from '#lib/domain/staff/rights.ts'
import { SESSION_SECONDS } from '#lib/domain/staff/sessions.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomToken } from '../platform/crypto.ts'
import type { CleanUp } from '../platform/jobs/cleanUp.ts'
import type { Work } from '../platform/transaction.ts'
import { staff, staffChallenges, staffSessions } from './schema.ts'
import type { Staff } from './who.ts'

export type Opened = { token: string; expiresAt: Date }

/** Ends the one before: a person who signs in elsewhere leaves nothing open behind. */
export async function openStaffSession(work: Work, staffId: string, keyId: string): Promise<Opened> {
  const { tx, now } = work
  // Two sign-ins at once take turns, so that one of them ends the other.
  await tx.select({ id: staff.id }).from(staff).where(eq(staff.id, staffId)).for('update')
  await endSessionsOf(work, staffId)
  const token = randomToken()
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000)
  await tx
    .insert(staffSessions)
    .values({ id: randomUUID(), tokenHash: hashToken(token), staffId, keyId, createdAt: now, seenAt: now, expiresAt })
  return { token, expiresAt }
}

const SEEN_EVERY_MS = 60_000

/** Whose session this is; undefined if it is over, or its person was stopped. */
export async function findStaff({ db, clock }: Context, token: string): Promise<Staff | undefined> {
  const now = clock()
  const [row] = await db
    .select({ person: staff, session: staffSessions })
    .from(staffSessions)
    .innerJoin(staff, eq(staff.id, staffSessions.staffId))
    .where(
      and(
        eq(staffSessions.tokenHash, hashToken(token)),
        isNull(staffSessions.endedAt),
        gt(staffSessions.expiresAt, now),
        isNull(staff.stoppedAt)
      )
    )
  if (!row) return undefined
  const { person, session } = row
  if (now.getTime() - session.seenAt.getTime() > SEEN_EVERY_MS)
    await db.update(staffSessions).set({ seenAt: now }).where(eq(staffSessions.id, session.id))
  const { id, name, email, roles } = person
  return { id, name, email, roles, rights: rightsOf(roles), sessionId: session.id, expiresAt: session.expiresAt }
}

export async function endStaffSession({ db, clock }: Context, { sessionId }: Staff): Promise<void> {
  await db.update(staffSessions).set({ endedAt: clock() }).where(eq(staffSessions.id, sessionId))
}

/** All sessions of a person, or those that one passkey opened. */
export async function endSessionsOf({ tx, now }: Work, staffId: string, keyId?: string): Promise<void> {
  const ofKey = keyId === undefined ? undefined : eq(staffSessions.keyId, keyId)
  await tx
    .update(staffSessions)
    .set({ endedAt: now })
    .where(and(eq(staffSessions.staffId, staffId), ofKey, isNull(staffSessions.endedAt)))
}

const SESSIONS_KEPT_DAYS = 90

export const staffCleanUp: CleanUp = async (db, now, daysAgo) => {
  await db.delete(staffChallenges).where(lt(staffChallenges.expiresAt, now))
  await db.delete(staffSessions).where(lt(staffSessions.expiresAt, daysAgo(SESSIONS_KEPT_DAYS)))
}

/** Persons with a session that is open now, and when each was last seen. */
export async function whoIsHere({ db, clock }: Context): Promise<Map<string, { isHere: boolean; lastSeenAt: Date }>> {
  const rows = await db
    .select({
      staffId: staffSessions.staffId,
      lastSeenAt: sql<string>`max(${staffSessions.seenAt})`,
      isHere: sql<boolean>`bool_or(${staffSessions.endedAt} is null and ${staffSessions.expiresAt} > ${clock().toISOString()}::timestamptz)`
    })
    .from(staffSessions)
    .groupBy(staffSessions.staffId)
  return new Map(rows.map(({ staffId, lastSeenAt, isHere }) => [staffId, { isHere, lastSeenAt: new Date(lastSeenAt) }]))
}
