/** News: what other features and `app` may use. */
export { newsHandlers } from './handlers.ts'
export { newsCleanUp, readImageFile } from './images.ts'
export { newsJobs } from './jobs.ts'
export type { NewsSource } from './port.ts'
