import { and, eq, gt } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo, type Recipient } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { type Asker, issueCode } from './codes/issue.ts'
import { findUserByEmail, findUserByReferralCode } from './find.ts'
import { hashPassword } from './passwords.ts'
import { codes, type Registration } from './schema.ts'
import { accountTerms } from './terms.ts'

type SignUp = { email: string; password: string; phone: string; referralCode?: string | undefined }

/**
 * Stores the registration with its code; confirming the code makes the account. Each browser that signs an address up has its own
 * registration and code. An address that already has an account gets a mail that says so; the caller gets the same response. Throws
 * `invalid_fields` for an unknown referral code and `too_soon`.
 */
export async function signUp(context: Context, { email, password, phone, referralCode }: SignUp, asker: Asker): Promise<void> {
  const invitedBy = referralCode || undefined
  if (invitedBy && !(await findUserByReferralCode(context.db, invitedBy))) {
    throw new AppError('invalid_fields', { fields: { referralCode: 'referral_code_invalid' } })
  }
  const passwordHash = await hashPassword(password)
  await transact(context, (work) =>
    sendCode(context, work, email, asker, {
      passwordHash,
      phone,
      referralCode: invitedBy,
      acceptedTerms: accountTerms()
    })
  )
}

/** Sends another code for the registration of this browser; does nothing if it has none. Throws `too_soon`. */
export async function resendSignUpCode(context: Context, email: string, asker: Asker): Promise<void> {
  await transact(context, async (work) => {
    const registration = await waitingRegistration(work, email, asker)
    if (registration) await sendCode(context, work, email, asker, registration)
  })
}

async function waitingRegistration({ tx, now }: Work, email: string, { holder }: Asker): Promise<Registration | undefined> {
  const mine = and(eq(codes.purpose, 'sign_up'), eq(codes.email, email), eq(codes.holder, holder), gt(codes.expiresAt, now))
  const [waiting] = await tx.select({ registration: codes.registration }).from(codes).where(mine)
  return waiting?.registration ?? undefined
}

async function sendCode(context: Context, work: Work, email: string, asker: Asker, registration: Registration): Promise<void> {
  const code = await issueCode(context, work, { purpose: 'sign_up', email, asker, registration })
  const existing = await findUserByEmail(work.tx, email)
  const newcomer: Recipient = { email, locale: 'en' }
  await work.enqueue(existing ? mailTo(existing, 'alreadyRegistered', {}) : mailTo(newcomer, 'signUpCode', { code }))
}
