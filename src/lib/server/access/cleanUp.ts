import { and, inArray, isNotNull, lt, or } from 'drizzle-orm'
import type { CleanUp } from '../platform/jobs/cleanUp.ts'
import { challenges, codes, knownDevices, refreshTokens, sessions } from './schema.ts'

const SESSIONS_KEPT_DAYS = 90
const DEVICES_KEPT_DAYS = 365

export const accessCleanUp: CleanUp = async (db, now, daysAgo) => {
  await db.delete(codes).where(lt(codes.expiresAt, daysAgo(1)))
  await db.delete(challenges).where(lt(challenges.expiresAt, now))
  await db.delete(knownDevices).where(lt(knownDevices.seenAt, daysAgo(DEVICES_KEPT_DAYS)))
  const keptSince = daysAgo(SESSIONS_KEPT_DAYS)
  const over = db
    .select({ id: sessions.id })
    .from(sessions)
    .where(or(lt(sessions.expiresAt, keptSince), and(isNotNull(sessions.endedAt), lt(sessions.endedAt, keptSince))))
  await db.delete(refreshTokens).where(inArray(refreshTokens.sessionId, over))
  await db.delete(sessions).where(inArray(sessions.id, over))
}
