/** The operators' desk: what staff see and decide. After every other feature. */

export { carryOutJob } from './carried.ts'
export { deskHandlers } from './handlers.ts'
export { carriedActs } from './houseActs.ts'
export { makeDailyReport, reportJob } from './report.ts'
export type { DeskSettings } from './settings.ts'
export type { DeskHandlers } from './types.ts'
