/** The provider of the identity check. */
import type { ReviewStatus } from '#lib/domain/identity/check.ts'
import type { IdentityInfo } from './schema.ts'

/** A customer's check has a new status. */
export type IdentityEvent = {
  /** Digest of the delivery's content: the same for every repeat. */
  digest: string
  /** Our id of the customer. */
  customerId: string
  /** The provider's id of the customer. */
  applicantId: string
  type: string
  status: ReviewStatus
  occurredAt: Date
}
type IdentityDelivery = { body: string; header: (name: string) => string | undefined }
/** A delivery that the provider did not sign. */
export class SignatureError extends Error {
  override name = 'SignatureError'
}
export type IdentityProvider = {
  /** A link to the customer's identity check. Throws UnavailableError. */
  createLink: (customer: { userId: string; email: string }, ttlSeconds: number) => Promise<string>
  /** The event of a delivery; undefined for one that names no status. Throws SignatureError. */
  readEvent: (delivery: IdentityDelivery) => IdentityEvent | undefined
  /** The results of a passed check, limited to what is stored. Throws UnavailableError. */
  readInfo: (customerId: string) => Promise<IdentityInfo>
  /** Lets a passed check begin anew. Throws UnavailableError. */
  reset: (applicantId: string) => Promise<void>
}
