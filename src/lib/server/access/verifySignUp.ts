import { isSameMailbox } from '#lib/domain/access/credentials.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomReadable } from '../platform/crypto.ts'
import type { Transaction } from '../platform/db/client.ts'
import { type Registration, users } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { transact } from '../platform/transaction.ts'
import { confirmCode } from './codes/use.ts'
import { findUserByReferralCode, type User } from './find.ts'
import { UNUSABLE_PASSWORD } from './passwords.ts'
import { type Device, type OpenedSession, openSession } from './sessions/open.ts'

const REFERRAL_CODE_LENGTH = 8

/**
 * Makes the account of a confirmed registration and signs it in. Where two signed the same address up, the code proves
 * the mailbox but not whose password it was: only the browser that holds the registration's secret gets its password,
 * phone and inviter, otherwise the account has none (a password until it is set by a code). Throws `code_invalid`.
 */
export async function verifySignUp(
  context: Context,
  { email, code, holder }: { email: string; code: string; holder: string | undefined },
  device: Device
): Promise<OpenedSession> {
  const opened = await transact(context, async (tx) => {
    const confirmed = await confirmCode(context, tx, { purpose: 'sign_up', email, code })
    if (!confirmed?.registration) return undefined
    const user = await createUser(context, tx, email, confirmed.registration, holder)
    return user && openSession(context, tx, user, device, 'sign_up')
  })
  if (!opened) throw new AppError('code_invalid')
  return opened
}

async function createUser(
  context: Context,
  tx: Transaction,
  email: string,
  { passwordHash, phone, referralCode, holderHash, isContested }: Registration,
  holder: string | undefined
): Promise<User | undefined> {
  const named = referralCode ? await findUserByReferralCode(tx, referralCode) : undefined
  const now = context.clock()
  const isTheirs = !isContested || (holder !== undefined && hashToken(holder) === holderHash)
  // Nobody invites themselves. Told by nothing: before the mailbox was proved it would say whose code it is.
  const inviter = isTheirs && named && !isSameMailbox(named.email, email) ? named : undefined
  const [user] = await tx
    .insert(users)
    .values({
      email,
      passwordHash: isTheirs ? passwordHash : UNUSABLE_PASSWORD,
      phone: isTheirs ? phone : '',
      referralCode: randomReadable(REFERRAL_CODE_LENGTH),
      referredBy: inviter?.id ?? null,
      createdAt: now,
      updatedAt: now
    })
    .onConflictDoNothing({ target: users.email })
    .returning()
  return user
}
