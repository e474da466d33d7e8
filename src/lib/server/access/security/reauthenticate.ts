/** Proving once more who it is: by the authenticator app where there is one, otherwise by a code to the address. */
import { eq } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context, Customer } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { passkeys, sessions, users } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'
import { enqueueMail } from '../../platform/jobs/enqueue.ts'
import { takeLimits } from '../../platform/limits.ts'
import { transact } from '../../platform/transaction.ts'
import { issueCode } from '../codes/issue.ts'
import { confirmCode } from '../codes/use.ts'
import type { User } from '../find.ts'
import { secondFactorLimits, takeSecondFactor } from './totp.ts'

async function findUser(db: Executor, customer: Customer): Promise<User> {
  const [user] = await db.select().from(users).where(eq(users.id, customer.userId))
  if (!user) throw new AppError('unauthorized')
  return user
}

/** The session counts as confirmed from now on. */
export async function markConfirmed(context: Context, db: Executor, customer: Customer): Promise<void> {
  await db.update(sessions).set({ confirmedAt: context.clock() }).where(eq(sessions.id, customer.sessionId))
}

/** Says how to confirm, and sends the code where that is by mail: one sent less than a minute ago still counts. */
export async function requestConfirmation(context: Context, customer: Customer): Promise<Answer<'requestConfirmation'>> {
  const user = await findUser(context.db, customer)
  const [passkey] = await context.db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, user.id)).limit(1)
  const hasPasskey = passkey !== undefined
  if (user.totpSecret) return { method: 'totp', hasPasskey, retryAfterSeconds: 0 }
  try {
    await transact(context, async (tx) => {
      const code = await issueCode(context, tx, { purpose: 'confirm', email: user.email, boundTo: user.id })
      await enqueueMail(context, tx, user.email, mails.confirmCode(code))
    })
    return { method: 'email', hasPasskey, retryAfterSeconds: 60 }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'too_soon') throw error
    return { method: 'email', hasPasskey, retryAfterSeconds: error.retryAfterSeconds ?? 60 }
  }
}

/** Throws `second_factor_invalid` for a wrong code of the app, `otp_invalid` for a wrong one of the mail. */
export async function confirmWithCode(context: Context, customer: Customer, code: string): Promise<void> {
  await takeLimits(context, secondFactorLimits(customer.userId))
  const outcome = await transact(context, async (tx) => {
    const user = await findUser(tx, customer)
    const entered = { purpose: 'confirm', email: user.email, code, boundTo: user.id } as const
    const isRight = user.totpSecret
      ? await takeSecondFactor(context, tx, user, code)
      : (await confirmCode(context, tx, entered)) !== undefined
    if (isRight) await markConfirmed(context, tx, customer)
    // A wrong try is kept: it fails after the commit.
    return isRight ? undefined : user.totpSecret ? 'second_factor_invalid' : 'otp_invalid'
  })
  if (outcome) throw new AppError(outcome)
}
