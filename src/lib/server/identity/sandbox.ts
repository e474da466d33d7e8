import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { maskDocumentNumber, type ReviewStatus } from '#lib/domain/identity/check.ts'
import { type IdentityEvent, type IdentityProvider, SignatureError } from './port.ts'
import type { IdentityInfo } from './schema.ts'

export const DECISIONS = {
  approve: 'completed',
  reject: 'rejected',
  again: 'retry',
  submit: 'pending'
} as const satisfies Record<string, ReviewStatus>
export type Decision = keyof typeof DECISIONS

/** Who a link is for; undefined for one that is forged or too old. */
type Applicant = { userId: string; email: string }

export type SandboxIdentity = IdentityProvider & {
  readLink: (token: string) => Promise<Applicant | undefined>
  /** The event by which the provider would tell the decision. */
  decide: (applicant: Applicant, decision: Decision, name: { firstName: string; lastName: string }) => IdentityEvent
}

const ALGORITHM = 'HS256'

/** An identity check whose result the page behind its link says. */
export function sandboxIdentity(key: Uint8Array, clock: () => Date): SandboxIdentity {
  /** What the provider would know of a person, until it is asked. */
  const known = new Map<string, IdentityInfo>()
  return {
    createLink: async ({ userId, email }, ttlSeconds) => {
      const nowSeconds = Math.floor(clock().getTime() / 1000)
      const token = await new SignJWT({ user_id: userId, email })
        .setProtectedHeader({ alg: ALGORITHM })
        .setExpirationTime(nowSeconds + ttlSeconds)
        .sign(key)
      return `/sandbox/identity/${token}`
    },
    readLink: async (token) => {
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: [ALGORITHM], currentDate: clock() })
        return { userId: String(payload.user_id), email: String(payload.email) }
      } catch {
        return undefined
      }
    },
    decide: ({ userId }, decision, { firstName, lastName }) => {
      const idDocs = [{ idDocType: 'PASSPORT', number: maskDocumentNumber('SANDBOX4711'), validUntil: '2034-12-31' }]
      known.set(userId, { firstName, lastName, dob: '1990-12-10', country: 'AUT', idDocs })
      return {
        digest: randomUUID(),
        customerId: userId,
        applicantId: `sandbox-${userId}`,
        type: decision === 'submit' ? 'applicantPending' : 'applicantReviewed',
        status: DECISIONS[decision],
        occurredAt: clock()
      }
    },
    // Nobody delivers anything here but the page itself.
    readEvent: () => {
      throw new SignatureError()
    },
    readInfo: async (customerId) => {
      const info = known.get(customerId) ?? {}
      known.delete(customerId)
      return info
    }
  }
}
