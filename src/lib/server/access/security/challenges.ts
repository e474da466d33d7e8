/** The challenges of passkeys. Each can be answered once, by the customer it was made for. */
import { and, eq, gt, isNull } from 'drizzle-orm'
import { TICKET_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Context } from '../../platform/context.ts'
import { hashToken } from '../../platform/crypto.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError } from '../../platform/errors.ts'
import { challengeOf } from '../../platform/webauthn.ts'
import { challenges } from '../schema.ts'

export type Purpose = 'passkey_sign_in' | 'passkey_add' | 'passkey_reauthenticate'

/** Stores a challenge; it can be answered for five minutes. */
export async function keepChallenge(context: Context, challenge: string, purpose: Purpose, userId: string | null): Promise<void> {
  const now = context.clock()
  await context.db.insert(challenges).values({
    hash: hashToken(challenge),
    purpose,
    userId,
    triesLeft: 1,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TICKET_SECONDS * 1000)
  })
}

/** Deletes and returns the challenge that a passkey's answer contains. Throws `passkey_invalid` if it is not open. */
export async function takeChallenge(
  context: Context,
  db: Executor,
  response: { response: { clientDataJSON: string } },
  purpose: Purpose,
  userId: string | null
): Promise<string> {
  const challenge = challengeOf(response)
  const owner = userId === null ? isNull(challenges.userId) : eq(challenges.userId, userId)
  const [row] = await db
    .delete(challenges)
    .where(
      and(
        eq(challenges.hash, hashToken(challenge)),
        eq(challenges.purpose, purpose),
        owner,
        gt(challenges.expiresAt, context.clock())
      )
    )
    .returning()
  if (!row) throw new AppError('passkey_invalid')
  return challenge
}
