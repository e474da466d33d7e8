/** "This wasn't me": the link in a mail ends every session and locks withdrawals. */
import { and, eq, gte, isNull } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { DISAVOW_DAYS } from '../../../domain/account.ts'
import { mails } from '../../../messages/mails.ts'
import type { Transaction } from '../../db/client.ts'
import { challenges, passkeys, recoveryCodes, sessions, users } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { transact } from '../transaction.ts'
import { findUserByEmail, type User } from '../users/find.ts'
import { UNUSABLE_PASSWORD } from '../users/passwords.ts'
import { endSessions } from './end.ts'

const ALGORITHM = 'HS256'
const DAY_SECONDS = 86_400

/** A link that is older than this undoes no change: what came since may well be the owner's own. */
const UNDOES_WITHIN_MS = 3 * DAY_SECONDS * 1000

type Disavowal = { userId: string; issuedAt: Date; formerEmail: string | undefined }

/**
 * The page that asks "was this you?"; it only acts on a press, since mail programs open links by themselves.
 * `formerEmail` is the address that a change of address took away: disavowed, it comes back.
 */
export async function disavowLink({ keys, clock, origin }: Context, userId: string, formerEmail?: string): Promise<string> {
  const nowSeconds = Math.floor(clock().getTime() / 1000)
  const token = await new SignJWT({ user_id: userId, ...(formerEmail && { former_email: formerEmail }) })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + DISAVOW_DAYS * DAY_SECONDS)
    .sign(keys.disavow)
  return `${origin}/not-me?token=${token}`
}

/**
 * Puts whoever else got in out again: ends every session, makes the password worthless, locks withdrawals until a new
 * one is set, and undoes what was changed since the mail: passkeys, the authenticator app, the address. Doing it twice
 * changes nothing more. Throws `link_invalid` for a forged or expired token, and for one from before the last password.
 */
export async function disavowSignIn(context: Context, token: string): Promise<void> {
  const disavowal = await readToken(context, token)
  await transact(context, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, disavowal.userId)).for('update')
    // A token knows whole seconds: the mail about a new password has a link of the same one.
    const isOld = user?.passwordChangedAt && user.passwordChangedAt.getTime() >= disavowal.issuedAt.getTime() + 1000
    if (!user || isOld) throw new AppError('link_invalid')
    await endSessions(context, tx, and(eq(sessions.userId, user.id), isNull(sessions.endedAt)))
    await tx.delete(challenges).where(eq(challenges.userId, user.id))
    const email = await undoChanges(context, tx, user, disavowal)
    const now = context.clock()
    const lockedAt = user.withdrawalsLockedAt ?? now
    await tx
      .update(users)
      .set({ email, passwordHash: UNUSABLE_PASSWORD, withdrawalsLockedAt: lockedAt, updatedAt: now })
      .where(eq(users.id, user.id))
    if (!user.withdrawalsLockedAt) await enqueueMail(context, tx, email, mails.disavowed())
  })
}

/** Takes back what was changed since the mail was sent; answers the address that counts from now on. */
async function undoChanges(context: Context, tx: Transaction, user: User, { issuedAt, formerEmail }: Disavowal): Promise<string> {
  if (context.clock().getTime() - issuedAt.getTime() > UNDOES_WITHIN_MS) return user.email
  await tx.delete(passkeys).where(and(eq(passkeys.userId, user.id), gte(passkeys.createdAt, issuedAt)))
  if (user.totpEnabledAt && user.totpEnabledAt >= issuedAt) {
    await tx.update(users).set({ totpSecret: null, totpPending: null, totpEnabledAt: null }).where(eq(users.id, user.id))
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
  }
  const isFree = formerEmail !== undefined && (await findUserByEmail(tx, formerEmail)) === undefined
  return isFree ? formerEmail : user.email
}

async function readToken({ keys, clock }: Context, token: string): Promise<Disavowal> {
  try {
    const { payload } = await jwtVerify(token, keys.disavow, { algorithms: [ALGORITHM], currentDate: clock() })
    const { user_id: userId, former_email: former, iat = 0 } = payload
    const formerEmail = typeof former === 'string' ? former : undefined
    if (typeof userId === 'string') return { userId, issuedAt: new Date(iat * 1000), formerEmail }
  } catch {
    // Forged, expired or no token at all: the same for whoever sent it.
  }
  throw new AppError('link_invalid')
}
