/** A change to the security of an account needs a proof of identity that is at most ten minutes old; a sign-in is one. */
import { eq } from 'drizzle-orm'
import { FRESH_PROOF_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError } from '../../platform/errors.ts'
import type { User } from '../find.ts'
import { sessions, users } from '../schema.ts'

/**
 * Throws `account_locked` while somebody else may be signed in, and `confirmation_required` where the customer of this
 * session has not proved lately who they are.
 */
export function requireFreshProof({ clock }: Context, { provedAt, lockedAt }: Pick<Customer, 'provedAt' | 'lockedAt'>): void {
  if (lockedAt) throw new AppError('account_locked')
  if (!provedAt || clock().getTime() - provedAt.getTime() > FRESH_PROOF_SECONDS * 1000)
    throw new AppError('confirmation_required')
}

/**
 * The same in the transaction that makes the change, with the customer's row locked: a session may end, or an account be
 * locked, while the body of a call is on its way. Throws `unauthorized` for a session that has ended.
 */
export async function lockProved(context: Context, { tx }: { tx: Executor }, { userId, sessionId }: Customer): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  // Read after the lock: ending a session takes the same lock first.
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!user || !session || session.endedAt) throw new AppError('unauthorized')
  requireFreshProof(context, { provedAt: session.provedAt, lockedAt: user.lockedAt })
  return user
}
