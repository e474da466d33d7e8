/** The languages that the product speaks. */
export const LOCALES = ['en'] as const
export type Locale = (typeof LOCALES)[number]
