import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs what belongs to no request, though one of them started it: a statement that requests share, or the jobs. Otherwise it would belong to the trace and
 * the page of that request, and count as its change.
 */
export const outsideRequests = AsyncLocalStorage.snapshot()
