/** The token pair of a session that was opened by a plain form: the next page makes it, once. */
import { and, eq, isNull } from 'drizzle-orm'
import type { TokenPair } from '#lib/contract/types.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken, randomToken } from '../../platform/crypto.ts'
import { transact } from '../../platform/transaction.ts'
import { refreshTokens, sessions } from '../schema.ts'
import { signAccessToken } from './tokens.ts'

/** Deletes the refresh token of the pair that the call made, because no script receives it, and marks a new pair as due. */
export async function deferPair(context: Context, sessionId: string): Promise<void> {
  await transact(context, async ({ tx }) => {
    await tx.delete(refreshTokens).where(eq(refreshTokens.sessionId, sessionId))
    await tx.update(sessions).set({ pairDue: true }).where(eq(sessions.id, sessionId))
  })
}

/** Makes the pair that is due for the customer's session. Undefined if it was made before, e.g. by another tab at the same moment. */
export async function makeDuePair(context: Context, customer: Customer): Promise<TokenPair | undefined> {
  const refreshToken = randomToken()
  const isMine = await transact(context, async ({ tx, now }) => {
    const [taken] = await tx
      .update(sessions)
      .set({ pairDue: false })
      .where(and(eq(sessions.id, customer.sessionId), eq(sessions.pairDue, true), isNull(sessions.endedAt)))
      .returning({ id: sessions.id })
    if (!taken) return false
    await tx.insert(refreshTokens).values({ hash: hashToken(refreshToken), sessionId: taken.id, createdAt: now })
    return true
  })
  return isMine ? { token: await signAccessToken(context, customer), refreshToken } : undefined
}
