/** Which of our texts a customer accepts, and when. */

/** Beside the button that makes an account; asked again when one of them changes. */
export const ACCOUNT_TERMS = ['terms-of-service', 'custody-policy', 'privacy-policy'] as const
/** Ticked before the bank details of a purchase. */
export const ORDER_TERMS = ['crypto-asset-terms', 'custody-terms', 'staking-program-terms'] as const

export type TermsName = (typeof ACCOUNT_TERMS)[number] | (typeof ORDER_TERMS)[number]
/** The version of each text, e.g. `{ "terms-of-service": "1.1" }`. */
export type TermsVersions = Partial<Record<TermsName, string>>

/** The texts of which this version is not among the accepted ones. */
export function changedTerms(current: TermsVersions, accepted: ReadonlySet<string>): TermsName[] {
  return ACCOUNT_TERMS.filter((name) => current[name] !== undefined && !accepted.has(`${name} ${current[name]}`))
}
