import { and, eq } from 'drizzle-orm'
import { fieldMessages } from '../../../messages/errors.ts'
import { mails } from '../../../messages/mails.ts'
import { codes } from '../../db/schema.ts'
import { issueCode } from '../codes/issue.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { transact } from '../transaction.ts'
import { findUserByEmail, findUserByReferralCode } from './find.ts'
import { hashPassword } from './passwords.ts'

type SignUp = { email: string; password: string; phone: string; referralCode?: string | undefined }

/**
 * Keeps the registration with its code; the account itself is made when the code is confirmed. An address that has an
 * account gets a mail that says so, and the caller the same answer. Throws `invalid_fields` for an unknown referral
 * code and `too_soon`.
 */
export async function signUp(context: Context, { email, password, phone, referralCode }: SignUp): Promise<void> {
  const invitedBy = referralCode || undefined
  if (invitedBy && !(await findUserByReferralCode(context.db, invitedBy))) {
    throw new AppError('invalid_fields', { fields: { referralCode: fieldMessages.referral_code_invalid } })
  }
  const passwordHash = await hashPassword(password)
  await transact(context, async (tx) => {
    const registration = { passwordHash, phone, referralCode: invitedBy }
    const code = await issueCode(context, tx, { purpose: 'sign_up', email, registration })
    const existing = await findUserByEmail(tx, email)
    await enqueueMail(context, tx, email, existing ? mails.alreadyRegistered() : mails.signUpCode(code))
  })
}

/** Sends another code for a registration that waits for one; says nothing where none does. Throws `too_soon`. */
export async function resendSignUpCode(context: Context, email: string): Promise<void> {
  await transact(context, async (tx) => {
    const [waiting] = await tx
      .select()
      .from(codes)
      .where(and(eq(codes.purpose, 'sign_up'), eq(codes.email, email)))
    const registration = waiting?.registration ?? undefined
    const code = await issueCode(context, tx, { purpose: 'sign_up', email, ...(registration && { registration }) })
    const existing = await findUserByEmail(tx, email)
    if (registration && !existing) await enqueueMail(context, tx, email, mails.signUpCode(code))
  })
}
