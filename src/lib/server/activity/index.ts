/** Everything that happened to a customer, in one feed. */
export { activityHandlers } from './handlers.ts'
export { listActivity } from './read.ts'
