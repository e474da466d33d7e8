/**
 * Why a customer may not withdraw (spec section 6; docs/decisions/0009-security-rests-withdrawals.md). The rule itself is the
 * database's `access_gate`, because bookings check it under their locks.
 */

export const HOLD_REASONS = ['locked', 'held', 'resting', 'not_verified'] as const
/** `until` is set while withdrawals rest. Only a new password ends a lock, only an operator's decision ends a hold. */
export type WithdrawalGate = { allowed: boolean; reason: (typeof HOLD_REASONS)[number] | null; until: Date | null }

const REST_MS = 24 * 3_600_000

/** After a change to the account's security, withdrawals rest for 24 hours. */
export function restUntil(now: Date): Date {
  return new Date(now.getTime() + REST_MS)
}
