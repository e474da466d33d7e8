/** The legal texts: what other features and `app` may use. */
export { currentTerms, legalText, missingFacts } from './versions.ts'
