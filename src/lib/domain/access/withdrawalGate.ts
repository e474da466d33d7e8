/** Decides whether a customer may withdraw (spec section 6; docs/decisions/0009-security-rests-withdrawals.md). */

export const HOLD_REASONS = ['locked', 'held', 'resting', 'not_verified'] as const
export type WithdrawalGate = { allowed: boolean; reason: (typeof HOLD_REASONS)[number] | null; until: Date | null }

const REST_MS = 24 * 3_600_000

/** After a change to the security of an account withdrawals rest for 24 hours. */
export function restUntil(now: Date): Date {
  return new Date(now.getTime() + REST_MS)
}

type Standing = {
  isVerified: boolean
  /** A change of password or address, a removed authenticator app or a new passkey lets withdrawals rest until then. */
  restUntil: Date | null
  /** The customer reported a sign-in as somebody else's. */
  lockedAt: Date | null
  /** An operator must review first, e.g. because a payment was taken back. */
  isHeld: boolean
}

/** `until` is set while withdrawals are paused. Only a new password ends a lock, only an operator's decision ends a hold. */
export function withdrawalGate({ isVerified, restUntil, lockedAt, isHeld }: Standing, now: Date): WithdrawalGate {
  if (lockedAt) return { allowed: false, reason: 'locked', until: null }
  if (isHeld) return { allowed: false, reason: 'held', until: null }
  if (restUntil && restUntil > now) return { allowed: false, reason: 'resting', until: restUntil }
  return isVerified ? { allowed: true, reason: null, until: null } : { allowed: false, reason: 'not_verified', until: null }
}
