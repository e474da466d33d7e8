import { and, eq, gt } from 'drizzle-orm'
import type { CallName } from '#lib/contract/calls.ts'
import type { Context } from '../platform/context.ts'
import { type CodePurpose, codes, knownDevices, users } from './schema.ts'

/** The calls that enter a code, with the purpose of that code. */
const ENTERS: Partial<Record<CallName, CodePurpose>> = {
  verifyOtp: 'sign_in',
  resetPassword: 'reset_password',
  verifySignUp: 'sign_up'
}

/**
 * True if a browser has its own rate limits for an address: the account's owner has signed in with it, or, in a call that enters a
 * code, it asked for that code (which has five tries anyway). Always runs two queries, so that the time reveals nothing.
 */
export async function hasOwnLimits(context: Context, holder: string, email: string, call: CallName): Promise<boolean> {
  const { db, clock } = context
  const purpose = ENTERS[call] ?? 'sign_in'
  const asked = and(eq(codes.purpose, purpose), eq(codes.email, email), eq(codes.holder, holder), gt(codes.expiresAt, clock()))
  const [[device], [code]] = await Promise.all([
    db
      .select({ holder: knownDevices.holder })
      .from(knownDevices)
      .innerJoin(users, eq(users.id, knownDevices.userId))
      .where(and(eq(knownDevices.holder, holder), eq(users.email, email))),
    db.select({ holder: codes.holder }).from(codes).where(asked)
  ])
  if (holder === '') return false
  return device !== undefined || (code !== undefined && ENTERS[call] !== undefined)
}

/** Gives this browser its own rate limits for the customer, which strangers cannot use up. */
export async function rememberBrowser({ db, clock }: Context, userId: string, holder: string): Promise<void> {
  const seenAt = clock()
  await db
    .insert(knownDevices)
    .values({ holder, userId, seenAt })
    .onConflictDoUpdate({ target: [knownDevices.holder, knownDevices.userId], set: { seenAt } })
}
