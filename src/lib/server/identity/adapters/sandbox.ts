import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { maskDocumentNumber, type ReviewStatus } from '#lib/domain/identity/check.ts'
import { type IdentityEvent, type IdentityProvider, SignatureError } from '../port.ts'
import type { IdentityInfo } from '../schema.ts'

export const DECISIONS = {
  approve: 'completed',
  reject: 'rejected',
  again: 'retry',
  submit: 'pending'
} as const satisfies Record<string, ReviewStatus>
export type Decision = keyof typeof DECISIONS

/** `dob`: yyyy-mm-dd; by default every customer has another one, so that nobody looks like somebody else. */
type Person = { firstName: string; lastName: string; dob?: string }

const FIRST_BIRTHDAY = Date.UTC(1960, 0, 1)
const BIRTHDAYS = 14_600
const DAY_MS = 86_400_000

/** The birthday of a customer of the sandbox. */
export function sandboxBirthday(userId: string): string {
  const day = Number.parseInt(userId.slice(0, 8), 16) % BIRTHDAYS
  return new Date(FIRST_BIRTHDAY + day * DAY_MS).toISOString().slice(0, 10)
}

/** The customer of a link. */
type Applicant = { userId: string; email: string }

export type SandboxIdentity = IdentityProvider & {
  readLink: (token: string) => Promise<Applicant | undefined>
  /** The event that the provider would send for the decision. */
  decide: (applicant: Applicant, decision: Decision, person: Person) => IdentityEvent
}

const ALGORITHM = 'HS256'

/** An identity check whose result is chosen on the page behind its link. */
export function sandboxIdentity(key: Uint8Array, clock: () => Date): SandboxIdentity {
  /** The results that the provider would have, by customer; deleted once they are read. */
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
    decide: ({ userId }, decision, { firstName, lastName, dob = sandboxBirthday(userId) }) => {
      const idDocs = [{ idDocType: 'PASSPORT', number: maskDocumentNumber('SANDBOX4711'), validUntil: '2034-12-31' }]
      known.set(userId, { firstName, lastName, dob, country: 'AUT', idDocs })
      return {
        digest: randomUUID(),
        customerId: userId,
        applicantId: `sandbox-${userId}`,
        type: decision === 'submit' ? 'applicantPending' : 'applicantReviewed',
        status: DECISIONS[decision],
        occurredAt: clock()
      }
    },
    // Nothing is delivered from outside: only the page itself decides.
    readEvent: () => {
      throw new SignatureError()
    },
    // Its page decides anew whenever it is opened.
    reset: async () => undefined,
    readInfo: async (customerId) => {
      const info = known.get(customerId) ?? {}
      known.delete(customerId)
      return info
    }
  }
}
