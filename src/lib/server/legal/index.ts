/** The legal texts: what other features and `app` may use. */
export { currentTerms, type LegalText, legalText, missingFacts } from './shelf.ts'
