/** A change to the security of an account needs a proof of identity that is at most ten minutes old. A sign-in counts as proof. */
import { eq } from 'drizzle-orm'
import { FRESH_PROOF_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError } from '../../platform/errors.ts'
import type { User } from '../find.ts'
import { sessions, users } from '../schema.ts'

/** Throws `account_locked` while the account is locked, and `confirmation_required` if the session's last proof of identity is too old. */
export function requireFreshProof({ clock }: Context, { provedAt, lockedAt }: Pick<Customer, 'provedAt' | 'lockedAt'>): void {
  if (lockedAt) throw new AppError('account_locked')
  if (!provedAt || clock().getTime() - provedAt.getTime() > FRESH_PROOF_SECONDS * 1000)
    throw new AppError('confirmation_required')
}

/**
 * The same check in the transaction that makes the change, with the customer's row locked: the session may have ended, or the
 * account may have been locked, since the call was authenticated. Throws `unauthorized` for a session that has ended.
 */
export async function lockProved(context: Context, { tx }: { tx: Executor }, { userId, sessionId }: Customer): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  // Read after the lock: `disavowSignIn` and `resetPassword` lock the same row before they end the sessions.
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!user || !session || session.endedAt) throw new AppError('unauthorized')
  requireFreshProof(context, { provedAt: session.provedAt, lockedAt: user.lockedAt })
  return user
}
