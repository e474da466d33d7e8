import { eq } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo, type Recipient } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { type Asker, issueCode } from './codes/issue.ts'
import { spendCode } from './codes/spend.ts'
import { findUserByEmail } from './find.ts'
import { passwordMatches } from './passwords.ts'
import { users } from './schema.ts'
import { passFirstFactor, type SignedIn } from './secondFactor.ts'
import type { Device } from './sessions/open.ts'
import { findUnfinished, finishSignUp } from './verifySignUp.ts'

/** Throws `credentials_invalid`, the same for an unknown address and a wrong password. */
export async function signInWithPassword(
  context: Context,
  { email, password }: { email: string; password: string },
  device: Device
): Promise<SignedIn> {
  const found = await findUserByEmail(context.db, email)
  if (!(await passwordMatches(found?.passwordHash, password)) || !found) throw new AppError('credentials_invalid')
  return transact(context, async (work) => {
    // Hashing takes time: read again, in case the password has been changed since.
    const [user] = await work.tx.select().from(users).where(eq(users.id, found.id)).for('update')
    if (user?.passwordHash !== found.passwordHash) throw new AppError('credentials_invalid')
    return passFirstFactor(context, work, user, device, 'password')
  })
}

/**
 * Sends a sign-in code if the address has an account, or a sign-up that was never finished. Otherwise the response and the work are the
 * same, but no mail is sent. Throws `too_soon`.
 */
export async function requestOtp(context: Context, email: string, asker: Asker): Promise<void> {
  await transact(context, async (work) => {
    const code = await issueCode(context, work, { purpose: 'sign_in', email, asker })
    const user = await findUserByEmail(work.tx, email)
    const unfinished = await findUnfinished(work, email, asker)
    const newcomer: Recipient | undefined = unfinished && { email, locale: 'en' }
    await work.enqueue(mailTo(user ?? newcomer, 'signInCode', { code }))
  })
}

/**
 * Signs in by a code; finishes a sign-up that was left unfinished. Throws `otp_invalid` for a wrong, expired or used code, and for an address
 * that nobody signed up.
 */
export async function verifyOtp(
  context: Context,
  { email, otp }: { email: string; otp: string },
  device: Device
): Promise<SignedIn> {
  const opened = await transact(context, async (work) => {
    const used = await spendCode(context, work, { purpose: 'sign_in', email, code: otp, asker: device })
    const user = used && ((await findUserByEmail(work.tx, email)) ?? (await finishSignUp(work, email, { ...device, ...used })))
    return user && passFirstFactor(context, work, user, device, 'otp')
  })
  if (!opened) throw new AppError('otp_invalid')
  return opened
}
