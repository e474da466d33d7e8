/** Prices and rates: what other features and `app` may use. */
export { type DailyFigures, dailyFigures, dailyPrice, dailyRatesJob, euroRateBy, recentFigures, utcDay } from './daily.ts'
export { acceptedAt, confirmPrice, findDoubt, judgedRates, openDoubts, pricesJob } from './doubts.ts'
export { type Rates, type RatesSource, ratesOf } from './port.ts'
export { pricedOn, priceOf, requireUndoubted, type Worth, worthAtMost, worthOf, worthOn } from './worth.ts'
