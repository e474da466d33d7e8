/** "This wasn't me": the link in a mail ends every session and locks the account. */
import { and, eq, gte, isNull } from 'drizzle-orm'
import { SignJWT } from 'jose'
import { DISAVOW_DAYS } from '#lib/domain/access/credentials.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { mailTo } from '../../platform/mail/job.ts'
import { verifyToken } from '../../platform/signedToken.ts'
import { transact, type Work } from '../../platform/transaction.ts'
import { findUserByEmail, type User } from '../find.ts'
import { UNUSABLE_PASSWORD } from '../passwords.ts'
import { challenges, knownDevices, passkeys, recoveryCodes, sessions, users } from '../schema.ts'
import { endSessions } from './end.ts'

const ALGORITHM = 'HS256'
const DAY_SECONDS = 86_400

/** Older links undo no changes: these may be the owner's own. */
const UNDOES_WITHIN_MS = 3 * DAY_SECONDS * 1000

/** `email` is the account's address when the mail was written. */
type Disavowal = { userId: string; email: string; issuedAt: Date }

/**
 * The link to the page that asks "was this you?". The page acts only when its button is pressed, because mail programs open links
 * by themselves. `at`: when the event in the mail happened; changes since then are undone.
 */
export async function disavowLink(
  { keyFor, clock, origin }: Context,
  userId: string,
  email: string,
  at: Date = clock()
): Promise<string> {
  const nowSeconds = Math.floor(at.getTime() / 1000)
  const token = await new SignJWT({ user_id: userId, email })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + DISAVOW_DAYS * DAY_SECONDS)
    .sign(keyFor('disavow'))
  return `${origin}/not-me?token=${token}`
}

/** The work of other features when an account is secured; the customer's row is locked. */
export type OnAccountSecured = (context: Context, work: Work, userId: string) => Promise<void>

/**
 * Locks an intruder out: ends every session, makes the password unusable, locks the account until a new password is set and, if the
 * link is at most three days old, undoes changes since the mail: passkeys, the authenticator app, recovery codes, a new address. A
 * repeat changes nothing. `onAccountSecured` runs in the same transaction: it cancels open orders and unsigned withdrawals. Throws
 * `link_invalid` for a forged or expired token, and for one from before the last password change, unless the account's address has
 * been changed since the mail: then somebody else may have set that password.
 */
export async function disavowSignIn(context: Context, token: string, onAccountSecured: OnAccountSecured): Promise<void> {
  const disavowal = await readToken(context, token)
  await transact(context, async (work) => {
    const { tx, now } = work
    const [user] = await tx.select().from(users).where(eq(users.id, disavowal.userId)).for('update')
    const undoes = now.getTime() - disavowal.issuedAt.getTime() <= UNDOES_WITHIN_MS
    // Tokens count whole seconds: the mail about a new password may carry the same second as the change.
    const isOld = user?.passwordChangedAt && user.passwordChangedAt.getTime() >= disavowal.issuedAt.getTime() + 1000
    if (!user || (isOld && !(undoes && hasLeft(user, disavowal)))) throw new AppError('link_invalid')
    await endSessions(work, and(eq(sessions.userId, user.id), isNull(sessions.endedAt)))
    await tx.delete(challenges).where(eq(challenges.userId, user.id))
    await tx.delete(knownDevices).where(eq(knownDevices.userId, user.id))
    const email = undoes ? await undoChanges(work, user, disavowal) : user.email
    const isBack = email !== user.email
    await tx
      .update(users)
      .set({
        email,
        ...(isBack && { formerEmail: null, emailChangedAt: null }),
        passwordHash: UNUSABLE_PASSWORD,
        totpPending: null,
        lockedAt: user.lockedAt ?? now,
        updatedAt: now
      })
      .where(eq(users.id, user.id))
    await onAccountSecured(context, work, user.id)
    if (!user.lockedAt) await work.enqueue(mailTo({ email, locale: user.locale }, 'disavowed', {}))
  })
}

/** True if the account's address was changed after the mail was sent to it: then that mailbox may undo the change. */
function hasLeft({ formerEmail, emailChangedAt }: User, { email, issuedAt }: Disavowal): boolean {
  return email === formerEmail && emailChangedAt !== null && issuedAt <= emailChangedAt
}

/** The former address to store: after several changes within three days the first one, which is the owner's. */
export function leaving({ email, formerEmail, emailChangedAt }: User, now: Date) {
  const isRecent = emailChangedAt && now.getTime() - emailChangedAt.getTime() <= UNDOES_WITHIN_MS
  return formerEmail && isRecent ? {} : { formerEmail: email, emailChangedAt: now }
}

/** Undoes changes made since the mail was sent; returns the address that is valid from now on. */
async function undoChanges({ tx }: Work, user: User, disavowal: Disavowal): Promise<string> {
  const { issuedAt, email } = disavowal
  await tx.delete(passkeys).where(and(eq(passkeys.userId, user.id), gte(passkeys.createdAt, issuedAt)))
  if (user.totpEnabledAt && user.totpEnabledAt >= issuedAt) {
    await tx.update(users).set({ totpSecret: null, totpPending: null, totpEnabledAt: null }).where(eq(users.id, user.id))
  }
  // The intruder may have seen the recovery codes; delete all.
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
  const comesBack = hasLeft(user, disavowal) && (await findUserByEmail(tx, email)) === undefined
  return comesBack ? email : user.email
}

async function readToken({ keysFor, clock }: Context, token: string): Promise<Disavowal> {
  try {
    const payload = await verifyToken(token, keysFor('disavow'), { currentDate: clock() })
    const { user_id: userId, email, iat = 0 } = payload
    if (typeof userId === 'string' && typeof email === 'string') return { userId, email, issuedAt: new Date(iat * 1000) }
  } catch {
    // Forged, expired or malformed: the error is the same.
  }
  throw new AppError('link_invalid')
}
