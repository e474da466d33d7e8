import { and, eq, isNull } from 'drizzle-orm'
import { REFRESH_GRACE_SECONDS, REFRESH_LOST_SECONDS } from '#lib/domain/access/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken, keyedHash } from '../../platform/crypto.ts'
import { AppError } from '../../platform/errors.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { rememberBrowser } from '../knownDevice.ts'
import { refreshTokens, sessions, users } from '../schema.ts'
import { endSessions } from './end.ts'
import { signAccessToken } from './tokens.ts'

/**
 * Exchanges a refresh token for its successor and a new access token. The successor is derived from the token, so a repeat within
 * 30 s (two tabs), or within 3 minutes while nobody has used the successor (a lost response), gets the same one although it is not stored. A later repeat means that the token leaked, and
 * ends the session. Throws `refresh_token_invalid`.
 */
export async function refreshSession(
  context: Context,
  refreshToken: string,
  holder: string
): Promise<{ token: string; refreshToken: string }> {
  const hash = hashToken(refreshToken)
  const found = await transact(context, async (work) => {
    const { tx, now } = work
    const [row] = await tx
      .select({
        rotatedAt: refreshTokens.rotatedAt,
        sessionId: sessions.id,
        expiresAt: sessions.expiresAt,
        endedAt: sessions.endedAt,
        userId: users.id,
        email: users.email
      })
      .from(refreshTokens)
      .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(refreshTokens.hash, hash))
      .for('update', { of: refreshTokens })
    if (!row || row.endedAt || row.expiresAt <= now) return undefined
    if (row.rotatedAt) {
      const seconds = (now.getTime() - row.rotatedAt.getTime()) / 1000
      const given = await givenFor(context, work, refreshToken)
      if (given && (seconds <= REFRESH_GRACE_SECONDS || (seconds <= REFRESH_LOST_SECONDS && given.isUnused)))
        return { customer: row, successor: given.successor }
      await endSessions(work, and(eq(sessions.id, row.sessionId), isNull(sessions.endedAt)))
      context.log.warn({ sessionId: row.sessionId }, 'a rotated refresh token came back; session ended')
      return undefined
    }
    await tx.update(refreshTokens).set({ rotatedAt: now }).where(eq(refreshTokens.hash, hash))
    await tx.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, row.sessionId))
    const [successor = ''] = successorsOf(context, refreshToken)
    await tx.insert(refreshTokens).values({ hash: hashToken(successor), sessionId: row.sessionId, createdAt: now })
    return { customer: row, successor }
  })
  if (!found) throw new AppError('refresh_token_invalid')
  const { customer, successor } = found
  // Also remembers the browser of a customer who signed in before browsers were remembered.
  await rememberBrowser(context, customer.userId, holder).catch((error: unknown) =>
    context.log.warn({ err: error }, 'a browser was not remembered')
  )
  return { token: await signAccessToken(context, customer), refreshToken: successor }
}

/** The successor that was given for a token; it may have been made under a secret that is being replaced. */
async function givenFor(
  context: Context,
  { tx }: Work,
  refreshToken: string
): Promise<{ successor: string; isUnused: boolean } | undefined> {
  for (const successor of successorsOf(context, refreshToken)) {
    const [row] = await tx
      .select()
      .from(refreshTokens)
      .where(eq(refreshTokens.hash, hashToken(successor)))
    if (row) return { successor, isUnused: row.rotatedAt === null }
  }
  return undefined
}

/** By each secret that counts, the present one first. */
function successorsOf(context: Context, refreshToken: string): string[] {
  return context.keysFor('refresh-token').map((key) => keyedHash(key, refreshToken))
}
