/** The languages that the product speaks. */
export type Locale = 'en'
