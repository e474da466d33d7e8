/** The rules of an API call, except its shape. All are required: a call without its rules does not compile. */

type Rate = { max: number; windowSeconds: number }

/**
 * Rate limits of a call: per IP address, per signed-in account, and per email in the body. The limits per email keep
 * secrets from being guessed; `refunds` names the outcome that does not count against them.
 */
export type Limits = {
  address?: Rate
  account?: Rate
  email?: { short: Rate; day: Rate; refunds: 'success' | 'too_soon' }
  /** A crash may forget the uses of the last second: for calls that guard no secret, and send a mail only for what they book. */
  isForgettable?: true
}

export type CallRules = {
  method: 'GET' | 'POST' | 'PATCH'
  /** Below `/v1`. */
  path: string
  /** `anyone`: needs no session. `customer`: needs the customer's bearer token. */
  who: 'anyone' | 'customer'
  limits: Limits
  /** `optional`: an `Idempotency-Key` makes a repeat safe. */
  key: 'none' | 'optional'
  /** `fresh`: the customer must have proved their identity within the last ten minutes. */
  proof: 'none' | 'fresh'
}

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

export const unlimited: Limits = {}
/** For calls that mail a code. A code allows five tries, so the daily limit bounds the guesses. Calls refused as too soon do not count. */
export const mailing: Limits = {
  address: { max: 30, windowSeconds: HOUR },
  email: { short: { max: 10, windowSeconds: HOUR }, day: { max: 12, windowSeconds: DAY }, refunds: 'too_soon' }
}
/** For calls that try a secret. Per email only wrong tries count; the daily limit keeps six digits from being guessed over time. */
export const tryingSecret: Limits = {
  address: { max: 60, windowSeconds: 10 * MINUTE },
  email: { short: { max: 20, windowSeconds: 10 * MINUTE }, day: { max: 60, windowSeconds: DAY }, refunds: 'success' }
}
export const signingIn: Limits = { address: { max: 60, windowSeconds: 10 * MINUTE } }
/** For what a page of signed-out visitors asks by itself. Nothing is guessed with it. */
export const visiting: Limits = { address: { max: 600, windowSeconds: 10 * MINUTE }, isForgettable: true }
export const ownSecret: Limits = {
  address: { max: 60, windowSeconds: 10 * MINUTE },
  account: { max: 15, windowSeconds: 10 * MINUTE }
}
/** For a signed-in customer who asks for a code by mail. */
export const askingForCodes: Limits = { address: { max: 30, windowSeconds: HOUR }, account: { max: 10, windowSeconds: HOUR } }
export const changingSecurity: Limits = { address: { max: 300, windowSeconds: HOUR }, account: { max: 60, windowSeconds: HOUR } }
/** As `movingMoney`, but a crash forgets no use: each withdrawal sends a mail. */
export const withdrawing: Limits = { address: { max: 300, windowSeconds: MINUTE }, account: { max: 60, windowSeconds: MINUTE } }
export const movingMoney: Limits = { ...withdrawing, isForgettable: true }
/** For reads that cost more than others. */
export const readingMuch: Limits = { account: { max: 120, windowSeconds: MINUTE }, isForgettable: true }
/** For small changes that a customer rarely makes. */
export const nowAndThen: Limits = { account: { max: 60, windowSeconds: HOUR } }

/** A cheap read. */
export const reading = { method: 'GET', who: 'customer', limits: unlimited, key: 'none', proof: 'none' } as const
/** A change by the customer that is safe to repeat. */
export const changing = { method: 'POST', who: 'customer', limits: unlimited, key: 'none', proof: 'none' } as const
/** A call that needs no session. */
export const open = { method: 'POST', who: 'anyone', key: 'none', proof: 'none' } as const
