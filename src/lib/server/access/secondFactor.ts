/** The step between the first factor and a session, for accounts with an authenticator app. */
import { and, eq, gt, sql } from 'drizzle-orm'
import { CODE_TRIES, TICKET_SECONDS } from '#lib/domain/access/credentials.ts'
import type { Context } from '../platform/context.ts'
import { hashToken, randomToken } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { countAgainst, giveBack } from '../platform/limits.ts'
import { transact, type Work } from '../platform/transaction.ts'
import type { User } from './find.ts'
import { challenges, type SignInMethod, users } from './schema.ts'
import { secondFactorLimits, takeSecondFactor } from './security/totp.ts'
import { type Device, type OpenedSession, openSession } from './sessions/open.ts'

/** A session, or the ticket that must be sent with the second factor. */
export type SignedIn = OpenedSession | { ticket: string }

/** Opens the session. If the account has an authenticator app, returns a ticket instead, valid for five minutes. */
export async function passFirstFactor(
  context: Context,
  work: Work,
  user: User,
  device: Device,
  method: SignInMethod
): Promise<SignedIn> {
  if (!user.totpSecret) return openSession(context, work, user, device, method)
  const { tx, now } = work
  const ticket = randomToken()
  await tx.insert(challenges).values({
    hash: hashToken(ticket),
    purpose: 'second_factor',
    userId: user.id,
    method,
    triesLeft: CODE_TRIES,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TICKET_SECONDS * 1000)
  })
  return { ticket }
}

/**
 * Signs in with the code of the authenticator app or a recovery code. Throws `ticket_invalid` if the ticket is unknown, expired or
 * has no tries left, `second_factor_invalid` for a wrong code, `too_many_requests`.
 */
export async function verifySecondFactor(
  context: Context,
  { ticket, code }: { ticket: string; code: string },
  device: Device
): Promise<OpenedSession> {
  const live = and(
    eq(challenges.hash, hashToken(ticket)),
    eq(challenges.purpose, 'second_factor'),
    gt(challenges.triesLeft, 0),
    gt(challenges.expiresAt, context.clock())
  )
  const [known] = await context.db.select({ userId: challenges.userId }).from(challenges).where(live)
  if (!known?.userId) throw new AppError('ticket_invalid')
  // Limited by account: somebody who knows the password can get any number of tickets.
  const limits = secondFactorLimits(known.userId)
  await countAgainst(context, limits)
  const outcome = await transact(context, async (work): Promise<OpenedSession | 'ticket_invalid' | 'second_factor_invalid'> => {
    const { tx } = work
    const [row] = await tx
      .update(challenges)
      .set({ triesLeft: sql`${challenges.triesLeft} - 1` })
      .where(live)
      .returning()
    const [user] = row?.userId ? await tx.select().from(users).where(eq(users.id, row.userId)).for('update') : []
    // The ticket was used up or the app was removed after the check above: the sign-in must start again.
    if (!row || !user?.totpSecret) return 'ticket_invalid'
    if (!(await takeSecondFactor(context, work, user, code))) return 'second_factor_invalid'
    await tx.delete(challenges).where(eq(challenges.hash, row.hash))
    return openSession(context, work, user, device, row.method ?? 'otp')
  })
  if (typeof outcome === 'string') throw new AppError(outcome)
  // Only wrong codes count.
  await giveBack(context, limits)
  return outcome
}
