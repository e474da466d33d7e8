import { and, eq, isNull } from 'drizzle-orm'
import { WITHDRAWAL_REST_HOURS } from '#lib/domain/access/credentials.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context } from '../platform/context.ts'
import { challenges, sessions, users } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { enqueueMail } from '../platform/jobs/enqueue.ts'
import { transact } from '../platform/transaction.ts'
import { issueCode } from './codes/issue.ts'
import { confirmCode } from './codes/use.ts'
import { findUserByEmail } from './find.ts'
import { hashPassword } from './passwords.ts'
import { disavowLink } from './sessions/disavow.ts'
import { endSessions } from './sessions/end.ts'

const HOUR_MS = 3_600_000

/** Sends a code to an address that has an account; answers the same for one that has none. Throws `too_soon`. */
export async function forgotPassword(context: Context, email: string): Promise<void> {
  await transact(context, async (tx) => {
    const code = await issueCode(context, tx, { purpose: 'reset_password', email })
    if (await findUserByEmail(tx, email)) await enqueueMail(context, tx, email, mails.resetCode(code))
  })
}

/** Sets the new password, ends every session and lets withdrawals rest for 24 h. Throws `code_invalid`. */
export async function resetPassword(
  context: Context,
  { email, code, password }: { email: string; code: string; password: string }
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const changed = await transact(context, async (tx) => {
    const confirmed = await confirmCode(context, tx, { purpose: 'reset_password', email, code })
    const user = confirmed && (await findUserByEmail(tx, email))
    if (!user) return false
    const now = context.clock()
    const withdrawalsRestUntil = new Date(now.getTime() + WITHDRAWAL_REST_HOURS * HOUR_MS)
    // The new password ends a lock; from then on the rest keeps whoever else set it from taking anything at once.
    await tx
      .update(users)
      .set({
        passwordHash,
        passwordChangedAt: now,
        withdrawalsRestUntil,
        withdrawalsLockedAt: null,
        totpPending: null,
        updatedAt: now
      })
      .where(eq(users.id, user.id))
    // Nor does a sign-in that waits for its second factor go on under the old password.
    await tx.delete(challenges).where(eq(challenges.userId, user.id))
    await endSessions(context, tx, and(eq(sessions.userId, user.id), isNull(sessions.endedAt)))
    await enqueueMail(context, tx, email, mails.passwordChanged(await disavowLink(context, user.id, user.email)))
    return true
  })
  if (!changed) throw new AppError('code_invalid')
}
