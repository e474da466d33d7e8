import { and, eq, isNull, ne } from 'drizzle-orm'
import { restUntil } from '#lib/domain/access/withdrawalGate.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type Asker, issueCode } from './codes/issue.ts'
import { spendCode } from './codes/spend.ts'
import { findUserByEmail } from './find.ts'
import { hashPassword } from './passwords.ts'
import { challenges, knownDevices, sessions, users } from './schema.ts'
import { disavowLink } from './sessions/disavow.ts'
import { endSessions } from './sessions/end.ts'

/** Sends a code if the address has an account. Otherwise the response and the work are the same, but no mail is sent. Throws `too_soon`. */
export async function forgotPassword(context: Context, email: string, asker: Asker): Promise<void> {
  await transact(context, async (work) => {
    const code = await issueCode(context, work, { purpose: 'reset_password', email, asker })
    await work.enqueue(mailTo(await findUserByEmail(work.tx, email), 'resetCode', { code }))
  })
}

type Reset = { email: string; code: string; password: string; asker: Asker }

/** Runs in the transaction of a reset: other features end what an intruder with the old password may have set up, e.g. private links. */
export type OnPasswordReset = (work: Work, userId: string) => Promise<void>

/** Sets the new password, ends every session and pauses withdrawals for 24 h. Throws `code_invalid`. */
export async function resetPassword(
  context: Context,
  { email, code, password, asker }: Reset,
  onPasswordReset: OnPasswordReset
): Promise<void> {
  const passwordHash = await hashPassword(password)
  const changed = await transact(context, async (work) => {
    const { tx, now } = work
    const used = await spendCode(context, work, { purpose: 'reset_password', email, code, asker })
    const user = used && (await findUserByEmail(tx, email))
    if (!user) return false
    // A new password ends a lock, but pauses withdrawals, in case an intruder set it.
    await tx
      .update(users)
      .set({
        passwordHash,
        passwordChangedAt: now,
        withdrawalsRestUntil: restUntil(now),
        lockedAt: null,
        totpPending: null,
        updatedAt: now
      })
      .where(eq(users.id, user.id))
    // Sign-ins that wait for their second factor began with the old password: end them.
    await tx.delete(challenges).where(eq(challenges.userId, user.id))
    await tx.delete(knownDevices).where(and(eq(knownDevices.userId, user.id), ne(knownDevices.holder, asker.holder)))
    await endSessions(work, and(eq(sessions.userId, user.id), isNull(sessions.endedAt)))
    await onPasswordReset(work, user.id)
    await work.enqueue(mailTo(user, 'passwordChanged', { link: await disavowLink(context, user.id, user.email) }))
    return true
  })
  if (!changed) throw new AppError('code_invalid')
}
