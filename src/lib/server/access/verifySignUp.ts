import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { isSameMailbox } from '#lib/domain/access/credentials.ts'
import type { Context } from '../platform/context.ts'
import { randomReadable } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { transact, type Work } from '../platform/transaction.ts'
import type { Asker } from './codes/issue.ts'
import { type SpentCode, spendCode } from './codes/spend.ts'
import { findUserByReferralCode, type User } from './find.ts'
import { UNUSABLE_PASSWORD } from './passwords.ts'
import { codes, type Registration, users } from './schema.ts'
import { type Device, type OpenedSession, openSession } from './sessions/open.ts'
import { keepAcceptance } from './terms.ts'

const REFERRAL_CODE_LENGTH = 8

/**
 * Makes the account of a confirmed registration and signs it in. The code proves who owns the mailbox, not who chose the password:
 * only the browser that signed up gets its password, phone and inviter. If another browser confirms, the account has no password
 * until one is set with a mailed code. Throws `code_invalid`.
 */
export async function verifySignUp(
  context: Context,
  { email, code }: { email: string; code: string },
  device: Device
): Promise<OpenedSession> {
  const opened = await transact(context, async (work) => {
    const used = await spendCode(context, work, { purpose: 'sign_up', email, code, asker: device })
    if (!used?.registration) return undefined
    const user = await createUser(work, email, used.registration, used)
    return user && openSession(context, work, user, device, 'sign_up')
  })
  if (!opened) throw new AppError('code_invalid')
  return opened
}

const KEPT_MS = 86_400_000
type Unfinished = { registration: Registration; holder: string }

/**
 * The sign-up of an address that was never confirmed: that of this browser, otherwise the newest of another one. Kept for a day after its code
 * has expired.
 */
export async function findUnfinished({ tx, now }: Work, email: string, { holder }: Asker): Promise<Unfinished | undefined> {
  const isMine = sql`(${codes.holder} = ${holder} and ${holder} <> '')`
  const [found] = await tx
    .select({ registration: codes.registration, holder: codes.holder })
    .from(codes)
    .where(
      and(
        eq(codes.purpose, 'sign_up'),
        eq(codes.email, email),
        isNotNull(codes.registration),
        gt(codes.expiresAt, new Date(now.getTime() - KEPT_MS))
      )
    )
    .orderBy(desc(isMine), desc(codes.createdAt))
    .limit(1)
  return found?.registration ? { registration: found.registration, holder: found.holder } : undefined
}

/**
 * Finishes a sign-up whose page was lost, once a sign-in code has proved the address: a new account as in `verifySignUp`. What another browser
 * typed is dropped, because a stranger may have typed it. Undefined if nobody signed the address up.
 */
export async function finishSignUp(
  work: Work,
  email: string,
  { holder, isHolder }: Asker & SpentCode
): Promise<User | undefined> {
  const unfinished = await findUnfinished(work, email, { holder, askedFrom: '' })
  if (!unfinished) return undefined
  const isOwn = isHolder && holder !== '' && unfinished.holder === holder
  const user = await createUser(work, email, unfinished.registration, { registration: null, isHolder: isOwn })
  await work.tx.delete(codes).where(and(eq(codes.purpose, 'sign_up'), eq(codes.email, email)))
  return user
}

async function createUser(
  work: Work,
  email: string,
  { passwordHash, phone, referralCode, acceptedTerms }: Registration,
  { isHolder }: SpentCode
): Promise<User | undefined> {
  const { tx, now } = work
  const named = referralCode ? await findUserByReferralCode(tx, referralCode) : undefined
  // Nobody invites themselves. Fail silently: an error would reveal who owns the code.
  const inviter = isHolder && named && !isSameMailbox(named.email, email) ? named : undefined
  const [user] = await tx
    .insert(users)
    .values({
      email,
      passwordHash: isHolder ? passwordHash : UNUSABLE_PASSWORD,
      phone: isHolder ? phone : '',
      referralCode: randomReadable(REFERRAL_CODE_LENGTH),
      referredBy: inviter?.id ?? null,
      createdAt: now,
      updatedAt: now
    })
    .onConflictDoNothing({ target: users.email })
    .returning()
  // Another browser did not show the terms: its customer is asked for them later.
  if (user && isHolder && acceptedTerms) await keepAcceptance(work, user.id, acceptedTerms)
  return user
}
