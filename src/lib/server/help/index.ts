/** Help: what `app` may use. */
export { helpHandlers } from './handlers.ts'
