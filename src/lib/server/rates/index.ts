/** Prices and rates: what other features and `app` may use. */
export { dailyFigures, dailyPrice, dailyRatesJob, utcDay } from './daily.ts'
export type { Rates, RatesSource } from './port.ts'
export { priceOf, type Worth, worthOf, worthOn } from './worth.ts'
