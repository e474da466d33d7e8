/** The identity check as the customer sees it (spec section 4). */

export type KycBadge = 'Verified' | 'Pending' | 'Not Verified'

export function kycBadge(kycData: { review?: { reviewStatus?: string } } | null): KycBadge {
  const status = kycData?.review?.reviewStatus
  if (status === undefined) return 'Not Verified'
  return status === 'completed' ? 'Verified' : 'Pending'
}
