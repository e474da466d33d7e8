/** The operators' desk: what staff see and decide. After every other feature. */
export { deskHandlers } from './handlers.ts'
export { confirmPriceJob } from './prices.ts'
export { makeDailyReport, reportJob } from './report.ts'
export type { DeskSettings } from './settings.ts'
export type { DeskHandlers } from './types.ts'
