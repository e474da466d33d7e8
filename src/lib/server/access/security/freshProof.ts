/** What concerns the account's security asks once more who it is: within ten minutes of a sign-in it does not. */
import { eq } from 'drizzle-orm'
import { CONFIRMED_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Context, Customer } from '../../platform/context.ts'
import type { Transaction } from '../../platform/db/client.ts'
import { sessions, users } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'
import type { User } from '../find.ts'

/**
 * Throws `account_locked` while somebody else may be signed in, and `confirmation_required` where the customer of this
 * session has not proved lately who they are.
 */
export function requireConfirmation(
  { clock }: Context,
  { confirmedAt, lockedAt }: Pick<Customer, 'confirmedAt' | 'lockedAt'>
): void {
  if (lockedAt) throw new AppError('account_locked')
  if (!confirmedAt || clock().getTime() - confirmedAt.getTime() > CONFIRMED_SECONDS * 1000)
    throw new AppError('confirmation_required')
}

/**
 * The same in the transaction that makes the change, with the customer's row locked: a session may end, or an account be
 * locked, while the body of a call is on its way. Throws `unauthorized` for a session that has ended.
 */
export async function lockConfirmed(context: Context, tx: Transaction, { userId, sessionId }: Customer): Promise<User> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  // After the lock: what ended the session held it.
  const [session] = await tx.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!user || !session || session.endedAt) throw new AppError('unauthorized')
  requireConfirmation(context, { confirmedAt: session.confirmedAt, lockedAt: user.withdrawalsLockedAt })
  return user
}
