/** The operators' desk: what staff see and decide. After every other feature. */
export { type DeskHandlers, deskHandlers } from './handlers.ts'
export type { DeskSettings } from './settings.ts'
