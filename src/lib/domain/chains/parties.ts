/** Who stands behind a large transfer. Source: spec section 9, legal text. */

/** From this value in EUR cents on, sender and recipient of coins must be known. */
const DETAILS_ABOVE_EURO_CENTS = 100_000n

export function needsDetails(euroCents: bigint): boolean {
  return euroCents > DETAILS_ABOVE_EURO_CENTS
}

/** Who receives a withdrawal, or sent a deposit. */
export type PartyDetails = {
  /** `self`: the customer; `other`: somebody else. */
  party: 'self' | 'other'
  /** Full name. */
  name: string
  /** Of somebody else: where they live. */
  address?: string | undefined
  /** The exchange or service that keeps the wallet; none for a wallet of one's own. */
  service?: string | undefined
}
