/** The provider of the identity check. */
import type { ReviewStatus } from '#lib/domain/identity/check.ts'
import type { IdentityInfo } from './schema.ts'

/** A customer's check has come to a status. */
export type IdentityEvent = {
  /** Digest of the delivery as it was sent: the same however often it is sent. */
  digest: string
  /** The customer's id with us. */
  customerId: string
  /** The customer's id there. */
  applicantId: string
  type: string
  status: ReviewStatus
  occurredAt: Date
}
export type IdentityDelivery = { body: string; header: (name: string) => string | undefined }
/** A delivery that the provider did not sign. */
export class SignatureError extends Error {
  override name = 'SignatureError'
}
export type IdentityProvider = {
  /** A link under which the customer is checked. Throws UnavailableError. */
  createLink: (customer: { userId: string; email: string }, ttlSeconds: number) => Promise<string>
  /** The event of a delivery; undefined for one that names no status. Throws SignatureError. */
  readEvent: (delivery: IdentityDelivery) => IdentityEvent | undefined
  /** What a passed check found, no more than is kept. Throws UnavailableError. */
  readInfo: (customerId: string) => Promise<IdentityInfo>
}
