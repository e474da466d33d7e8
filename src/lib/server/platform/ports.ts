/** The outside world, as the services see it. Each has a real and a sandbox implementation in `adapters/`. */
import type { ReviewStatus } from '#lib/domain/identity/check.ts'
import type { BankDetails } from './config.ts'
import type { IdentityInfo, Mail } from './db/schema.ts'

export type Mailer = { send: (mail: Mail) => Promise<void> }

/** A figure, where it comes from and of when it is. Values are decimal text. */
export type Quoted = { value: string; source: string; at: Date }
export type Rates = {
  /** EUR for one USD. */
  eurPerUsd: Quoted
  /** USD for one token, by token code. */
  pricesUsd: { values: Record<string, string>; source: string; at: Date }
}
/** The outside world does not answer right now; the caller may try again. */
export class UnavailableError extends Error {
  override name = 'UnavailableError'
}

/** Throws UnavailableError where no figure that is fresh enough can be had. */
export type RatesSource = { current: () => Promise<Rates> }

/** An entry of the bank's statement. `entryId` is the bank's own, the same however often the entry is told. */
export type BankEntry = {
  entryId: string
  amountCents: bigint
  currency: string
  remittance: string
  payerName: string
  payerIban: string
}
export type Bank = {
  details: BankDetails
  /** Hands every entry over at least once; an entry whose receiver fails is handed over again. */
  listen: (receive: (entry: BankEntry) => Promise<unknown>) => { stop: () => Promise<void> }
}

/** What the provider of the identity check tells: a customer's check has come to a status. */
export type IdentityEvent = {
  /** Of the delivery as it was sent: the same however often it is sent. */
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
  /** The event of a delivery; undefined for one that tells no status. Throws SignatureError. */
  readEvent: (delivery: IdentityDelivery) => IdentityEvent | undefined
  /** What a passed check found, no more than is kept. Throws UnavailableError. */
  readInfo: (customerId: string) => Promise<IdentityInfo>
}

export type Ports = { mailer: Mailer; rates: RatesSource; bank: Bank; identity: IdentityProvider }
