import { and, eq, gt } from 'drizzle-orm'
import { fieldMessages } from '#lib/messages/errors.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomToken } from '../platform/crypto.ts'
import type { Transaction } from '../platform/db/client.ts'
import { codes, type Registration } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { enqueueMail } from '../platform/jobs/enqueue.ts'
import { transact } from '../platform/transaction.ts'
import { issueCode } from './codes/issue.ts'
import { findUserByEmail, findUserByReferralCode } from './find.ts'
import { hashPassword } from './passwords.ts'

type SignUp = { email: string; password: string; phone: string; referralCode?: string | undefined }

/**
 * Keeps the registration with its code; the account itself is made when the code is confirmed. An address that has an
 * account gets a mail that says so, and the caller the same answer. Answers the secret that tells this browser from
 * another which signs the same address up. Throws `invalid_fields` for an unknown referral code and `too_soon`.
 */
export async function signUp(context: Context, { email, password, phone, referralCode }: SignUp): Promise<{ holder: string }> {
  const invitedBy = referralCode || undefined
  if (invitedBy && !(await findUserByReferralCode(context.db, invitedBy))) {
    throw new AppError('invalid_fields', { fields: { referralCode: fieldMessages.referral_code_invalid } })
  }
  const passwordHash = await hashPassword(password)
  const holder = randomToken()
  await transact(context, async (tx) => {
    const isContested = (await waitingRegistration(context, tx, email)) !== undefined
    const registration = { passwordHash, phone, referralCode: invitedBy, holderHash: hashToken(holder), isContested }
    await sendCode(context, tx, email, registration)
  })
  return { holder }
}

/** Sends another code for a registration that waits for one; says nothing where none does. Throws `too_soon`. */
export async function resendSignUpCode(context: Context, email: string): Promise<void> {
  await transact(context, async (tx) => sendCode(context, tx, email, await waitingRegistration(context, tx, email)))
}

async function waitingRegistration(context: Context, tx: Transaction, email: string): Promise<Registration | undefined> {
  const [waiting] = await tx
    .select({ registration: codes.registration })
    .from(codes)
    .where(and(eq(codes.purpose, 'sign_up'), eq(codes.email, email), gt(codes.expiresAt, context.clock())))
  return waiting?.registration ?? undefined
}

async function sendCode(context: Context, tx: Transaction, email: string, registration: Registration | undefined): Promise<void> {
  const code = await issueCode(context, tx, { purpose: 'sign_up', email, ...(registration && { registration }) })
  if (!registration) return
  const existing = await findUserByEmail(tx, email)
  await enqueueMail(context, tx, email, existing ? mails.alreadyRegistered() : mails.signUpCode(code))
}
