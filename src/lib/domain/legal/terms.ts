/** The legal texts that a customer accepts, and when. */

/** Accepted when the account is created, and again when one of them changes. */
export const ACCOUNT_TERMS = ['terms-of-service', 'custody-policy', 'privacy-policy'] as const
/** Accepted before a purchase shows the bank details. */
export const ORDER_TERMS = ['crypto-asset-terms', 'custody-terms', 'staking-program-terms'] as const

export type TermsName = (typeof ACCOUNT_TERMS)[number] | (typeof ORDER_TERMS)[number]
/** The version of each text, e.g. `{ "terms-of-service": "1.1" }`. */
export type TermsVersions = Partial<Record<TermsName, string>>

/** The account texts whose current version is not in `accepted`, which has entries such as `terms-of-service 1.1`. */
export function changedTerms(current: TermsVersions, accepted: ReadonlySet<string>): TermsName[] {
  return ACCOUNT_TERMS.filter((name) => current[name] !== undefined && !accepted.has(`${name} ${current[name]}`))
}
