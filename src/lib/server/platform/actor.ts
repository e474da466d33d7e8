/** Who acts: for rate limits, idempotency keys and records. */

export type Actor = { kind: 'customer'; id: string } | { kind: 'staff'; id: string } | { kind: 'system'; id: string }

/** The signed-in customer that a call is made for. */
export type Customer = {
  userId: string
  email: string
  sessionId: string
  expiresAt: Date
  /** When they last proved their identity in this session. */
  provedAt: Date | null
  /** Set while the account is locked: its owner reported a sign-in as somebody else's. */
  lockedAt: Date | null
  /** How to show values and dates; if the time zone is null, the device's is used. */
  displayCurrency: 'USD' | 'EUR'
  timeZone: string | null
}

/** As the database keeps it: `customer:<id>`, `staff:<id>` or `system:<part>`. */
export function actorText({ kind, id }: Actor): string {
  return `${kind}:${id}`
}

export function customerActor({ userId }: Pick<Customer, 'userId'>): Actor {
  return { kind: 'customer', id: userId }
}

export function systemActor(part: string): Actor {
  return { kind: 'system', id: part }
}
