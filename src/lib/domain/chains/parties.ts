/** Sender and recipient details of large transfers. Source: spec section 9, legal text. */

/** Above this value in EUR cents, sender and recipient of coins must be known. */
export const DETAILS_ABOVE_EURO_CENTS = 100_000n

export function needsDetails(euroCents: bigint): boolean {
  return euroCents > DETAILS_ABOVE_EURO_CENTS
}

/** What a customer says about a receiver or sender. */
export type SaidDetails = Omit<PartyDetails, 'name'> & { name?: string | undefined; holder?: 'own' | 'service' | undefined }

/** The receiver of a withdrawal, or the sender of a deposit, as it is kept. */
export type PartyDetails = {
  /** `self`: the customer; `other`: somebody else. */
  party: 'self' | 'other'
  /** Full name. */
  name: string
  /** Postal address; only for somebody else. */
  address?: string | undefined
  /** The exchange or service that holds the wallet; undefined for a self-hosted wallet. */
  service?: string | undefined
}
