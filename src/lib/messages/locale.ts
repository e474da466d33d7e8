/** The product's languages. To add one, put its translated files into a folder next to `en`, and its code here. */
export const LOCALES = ['en'] as const
export type Locale = (typeof LOCALES)[number]
