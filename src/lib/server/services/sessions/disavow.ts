/** "This wasn't me": the link in a mail ends every session and locks withdrawals. */
import { and, eq, isNull } from 'drizzle-orm'
import { jwtVerify, SignJWT } from 'jose'
import { DISAVOW_DAYS } from '../../../domain/account.ts'
import { mails } from '../../../messages/mails.ts'
import { sessions, users } from '../../db/schema.ts'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { transact } from '../transaction.ts'
import { endSessions } from './end.ts'

const ALGORITHM = 'HS256'
const DAY_SECONDS = 86_400

/** The page that asks "was this you?"; it only acts on a press, since mail programs open links by themselves. */
export async function disavowLink({ keys, clock, origin }: Context, userId: string): Promise<string> {
  const nowSeconds = Math.floor(clock().getTime() / 1000)
  const token = await new SignJWT({ user_id: userId })
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuedAt(nowSeconds)
    .setExpirationTime(nowSeconds + DISAVOW_DAYS * DAY_SECONDS)
    .sign(keys.disavow)
  return `${origin}/not-me?token=${token}`
}

/**
 * Ends every session of the token's customer and locks withdrawals until a new password is set. Doing it twice changes
 * nothing more. Throws `link_invalid` for a forged or expired token.
 */
export async function disavowSignIn(context: Context, token: string): Promise<void> {
  const userId = await readToken(context, token)
  const now = context.clock()
  await transact(context, async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
    if (!user) throw new AppError('link_invalid')
    await endSessions(context, tx, and(eq(sessions.userId, userId), isNull(sessions.endedAt)))
    if (user.withdrawalsLockedAt) return
    await tx.update(users).set({ withdrawalsLockedAt: now, updatedAt: now }).where(eq(users.id, userId))
    await enqueueMail(context, tx, user.email, mails.disavowed())
  })
}

async function readToken({ keys, clock }: Context, token: string): Promise<string> {
  try {
    const { payload } = await jwtVerify(token, keys.disavow, { algorithms: [ALGORITHM], currentDate: clock() })
    if (typeof payload.user_id === 'string') return payload.user_id
  } catch {
    // Forged, expired or no token at all: the same for whoever sent it.
  }
  throw new AppError('link_invalid')
}
