/** The identity check as the customer sees it (spec section 4). */

/** How long the link to the check works (spec section 9). */
export const KYC_LINK_SECONDS = 1800

/**
 * The status of a check. `completed` comes from the specification and means passed; the provider's own "completed"
 * with a refusal is `rejected`, or `retry` if the customer may submit again.
 */
export const REVIEW_STATUSES = ['init', 'pending', 'onHold', 'retry', 'rejected', 'completed'] as const
export type ReviewStatus = (typeof REVIEW_STATUSES)[number]

export type KycBadge = 'Verified' | 'Pending' | 'Not Verified'

type Checked = { review?: { reviewStatus?: string } | undefined } | null

export function isVerified(kycData: Checked): boolean {
  return kycData?.review?.reviewStatus === 'completed'
}

export function kycBadge(kycData: Checked): KycBadge {
  const status = kycData?.review?.reviewStatus
  // A refused check is no longer pending.
  if (status === undefined || status === 'rejected') return 'Not Verified'
  return isVerified(kycData) ? 'Verified' : 'Pending'
}

/** Hides all but the last three characters of a document number: enough to recognize it, too little to use it. */
export function maskDocumentNumber(number: string): string {
  const plain = number.replace(/\s/g, '')
  return `${'•'.repeat(Math.max(3, plain.length - 3))}${plain.length > 3 ? plain.slice(-3) : ''}`
}
