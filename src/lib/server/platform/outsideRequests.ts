import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs what belongs to no request, though one of them set it off: a statement that requests share, or the jobs. Within that one, it would be part of its
 * trace and of its page's answers, and count as a change that was made for that one alone.
 */
export const outsideRequests = AsyncLocalStorage.snapshot()
