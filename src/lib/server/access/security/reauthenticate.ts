/** Proves the customer's identity again: by the authenticator app if there is one, otherwise by a code to the address. */
import { eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { RESEND_AFTER_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { AppError } from '../../platform/errors.ts'
import { countAgainst, giveBack } from '../../platform/limits.ts'
import { mailTo } from '../../platform/mail/job.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { customerAsker, issueCode } from '../codes/issue.ts'
import { spendCode } from '../codes/spend.ts'
import type { User } from '../find.ts'
import { passkeys, sessions, users } from '../schema.ts'
import { secondFactorLimits, takeSecondFactor } from './totp.ts'

async function findUser(db: Executor, customer: Customer): Promise<User> {
  const [user] = await db.select().from(users).where(eq(users.id, customer.userId))
  if (!user) throw new AppError('unauthorized')
  return user
}

/** Records a fresh proof of identity for the session. */
export async function markProved({ tx, now }: Work, customer: Customer): Promise<void> {
  await tx.update(sessions).set({ provedAt: now }).where(eq(sessions.id, customer.sessionId))
}

/** Returns how the customer can prove their identity. Mails a code if that is the way, unless one was sent less than a minute ago. */
export async function requestReauthentication(context: Context, customer: Customer): Promise<Answer<'requestReauthentication'>> {
  const user = await findUser(context.db, customer)
  const [passkey] = await context.db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, user.id)).limit(1)
  const hasPasskey = passkey !== undefined
  if (user.totpSecret) return { method: 'totp', hasPasskey, retryAfterSeconds: 0 }
  try {
    await transact(context, async (work) => {
      const asker = customerAsker(user.id)
      const code = await issueCode(context, work, { purpose: 'reauthenticate', email: user.email, boundTo: user.id, asker })
      await work.enqueue(mailTo(user, 'reauthenticationCode', { code }))
    })
    return { method: 'email', hasPasskey, retryAfterSeconds: RESEND_AFTER_SECONDS }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_soon') throw error
    return { method: 'email', hasPasskey, retryAfterSeconds: error.details.retryAfterSeconds ?? RESEND_AFTER_SECONDS }
  }
}

/** Throws `second_factor_invalid` for a wrong code of the app, `otp_invalid` for a wrong code of the mail, `too_many_requests`. */
export async function reauthenticateWithCode(context: Context, customer: Customer, code: string): Promise<void> {
  const limits = secondFactorLimits(customer.userId)
  await countAgainst(context, limits)
  const outcome = await transact(context, async (work) => {
    const user = await findUser(work.tx, customer)
    const asker = customerAsker(user.id)
    const entered = { purpose: 'reauthenticate', email: user.email, code, boundTo: user.id, asker } as const
    const isRight = user.totpSecret
      ? await takeSecondFactor(context, work, user, code)
      : (await spendCode(context, work, entered)) !== undefined
    if (isRight) await markProved(work, customer)
    // Thrown after the commit, so that the wrong try counts.
    return isRight ? undefined : user.totpSecret ? 'second_factor_invalid' : 'otp_invalid'
  })
  if (outcome) throw new AppError(outcome)
  // Only wrong codes count.
  await giveBack(context, limits)
}
