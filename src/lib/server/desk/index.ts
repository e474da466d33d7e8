/** The operators' desk: what staff see and decide. After every other feature. */
export { type DeskHandlers, type DeskSettings, deskHandlers } from './handlers.ts'
