/** Packages and orders: what other features and `app` may use. */
export { type OnOrderCompleted, type PriceOfDay, priceOfDay, recordArrival } from './complete.ts'
export { orderHandlers } from './handlers.ts'
export { type OrderRow, usd } from './present.ts'
export { findOrder } from './read.ts'
export { orders } from './schema.ts'
export { orderChecks } from './verify.ts'
