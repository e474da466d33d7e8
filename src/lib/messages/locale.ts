/** The languages that the product speaks; a second one is a folder beside `en`, of as many files as are translated, and a word here. */
export const LOCALES = ['en'] as const
export type Locale = (typeof LOCALES)[number]
