/** Whether a customer may withdraw (spec section 6; docs/architecture.md). */

export type WithdrawalGate = { allowed: boolean; reason: 'locked' | 'resting' | 'not_verified' | null; until: Date | null }

type Customer = { isVerified: boolean; restUntil: Date | null; lockedAt: Date | null }

/** `until` is told while withdrawals rest after a password change; a lock ends with a new password alone. */
export function withdrawalGate({ isVerified, restUntil, lockedAt }: Customer, now: Date): WithdrawalGate {
  if (lockedAt) return { allowed: false, reason: 'locked', until: null }
  if (restUntil && restUntil > now) return { allowed: false, reason: 'resting', until: restUntil }
  return isVerified ? { allowed: true, reason: null, until: null } : { allowed: false, reason: 'not_verified', until: null }
}
