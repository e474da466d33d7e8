/** Whether a customer may withdraw (spec section 6; docs/architecture.md). */

export const HOLD_REASONS = ['locked', 'held', 'resting', 'not_verified'] as const
export type WithdrawalGate = { allowed: boolean; reason: (typeof HOLD_REASONS)[number] | null; until: Date | null }

type Standing = {
  isVerified: boolean
  /** A new password lets withdrawals rest until then. */
  restUntil: Date | null
  /** The customer said of a sign-in that it was somebody else. */
  lockedAt: Date | null
  /** An operator has to look first, e.g. because a payment was taken back. */
  isHeld: boolean
}

/** `until` is set while withdrawals rest; a lock ends with a new password alone, a hold with an operator's decision. */
export function withdrawalGate({ isVerified, restUntil, lockedAt, isHeld }: Standing, now: Date): WithdrawalGate {
  if (lockedAt) return { allowed: false, reason: 'locked', until: null }
  if (isHeld) return { allowed: false, reason: 'held', until: null }
  if (restUntil && restUntil > now) return { allowed: false, reason: 'resting', until: restUntil }
  return isVerified ? { allowed: true, reason: null, until: null } : { allowed: false, reason: 'not_verified', until: null }
}
