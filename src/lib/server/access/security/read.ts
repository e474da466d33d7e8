import { and, count, desc, eq, gt, isNull } from 'drizzle-orm'
import type { Security } from '#lib/contract/types.ts'
import type { Customer } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import type { ReadGate } from '../holds.ts'
import { presentWithdrawals } from '../profile.ts'
import { passkeys, recoveryCodes, sessions, users } from '../schema.ts'
import { describeDevice } from '../sessions/device.ts'

const MOST_SESSIONS = 100

/** The account's sessions, its ways to sign in, and whether withdrawals are allowed. */
export async function readSecurity(context: Context, customer: Customer, readGate: ReadGate): Promise<Security> {
  const { db } = context
  const { userId } = customer
  const now = context.clock()
  const [[user], open, keys, [codes], gate] = await Promise.all([
    db.select().from(users).where(eq(users.id, userId)),
    db
      .select()
      .from(sessions)
      .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt), gt(sessions.expiresAt, now)))
      .orderBy(desc(sessions.createdAt))
      .limit(MOST_SESSIONS),
    db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt),
    db
      .select({ left: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
    readGate(db, userId, now)
  ])
  if (!user) throw new AppError('unauthorized')
  return {
    sessions: open.map((session) => ({
      id: session.id,
      isCurrent: session.id === customer.sessionId,
      method: session.method,
      device: describeDevice(session.userAgent),
      address: session.address,
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: (session.lastSeenAt ?? session.createdAt).toISOString(),
      expiresAt: session.expiresAt.toISOString()
    })),
    passkeys: keys.map(({ id, name, isSynced, createdAt, lastUsedAt }) => ({
      id,
      name,
      isSynced,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null
    })),
    totp: { isEnabled: user.totpSecret !== null, recoveryCodesLeft: codes?.left ?? 0 },
    withdrawals: presentWithdrawals(gate)
  }
}
