import { eq } from 'drizzle-orm'
import { mails } from '#lib/messages/mails.ts'
import type { Context } from '../platform/context.ts'
import { users } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { enqueueMail } from '../platform/jobs/enqueue.ts'
import { transact } from '../platform/transaction.ts'
import { issueCode } from './codes/issue.ts'
import { confirmCode } from './codes/use.ts'
import { findUserByEmail } from './find.ts'
import { passwordMatches } from './passwords.ts'
import { passFirstFactor, type SignedIn } from './secondFactor.ts'
import type { Device } from './sessions/open.ts'

/** Throws `credentials_invalid`, the same for an unknown address and a wrong password. */
export async function signInWithPassword(
  context: Context,
  { email, password }: { email: string; password: string },
  device: Device
): Promise<SignedIn> {
  const found = await findUserByEmail(context.db, email)
  if (!(await passwordMatches(found?.passwordHash, password)) || !found) throw new AppError('credentials_invalid')
  return transact(context, async (tx) => {
    // Hashing takes its time: a new password that was set meanwhile counts.
    const [user] = await tx.select().from(users).where(eq(users.id, found.id)).for('update')
    if (user?.passwordHash !== found.passwordHash) throw new AppError('credentials_invalid')
    return passFirstFactor(context, tx, user, device, 'password')
  })
}

/** Sends a sign-in code to an address that has an account; answers the same for one that has none. Throws `too_soon`. */
export async function requestOtp(context: Context, email: string): Promise<void> {
  await transact(context, async (tx) => {
    const code = await issueCode(context, tx, { purpose: 'sign_in', email })
    if (await findUserByEmail(tx, email)) await enqueueMail(context, tx, email, mails.signInCode(code))
  })
}

/** Throws `otp_invalid` for a wrong, expired or used code, and for an address without an account. */
export async function verifyOtp(
  context: Context,
  { email, otp }: { email: string; otp: string },
  device: Device
): Promise<SignedIn> {
  const opened = await transact(context, async (tx) => {
    const confirmed = await confirmCode(context, tx, { purpose: 'sign_in', email, code: otp })
    const user = confirmed && (await findUserByEmail(tx, email))
    return user && passFirstFactor(context, tx, user, device, 'otp')
  })
  if (!opened) throw new AppError('otp_invalid')
  return opened
}
