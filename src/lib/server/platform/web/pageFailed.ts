import { isUnreachable } from '../db/faults.ts'
import type { Log } from '../log.ts'

/**
 * Writes down why a page could not be made, and returns the error to throw instead. Astro prints what it gets as plain text of several lines, with
 * the values of a failed statement in it; this one says nothing.
 */
export function pageFailed(log: Log, error: unknown, where: { requestId?: string | undefined; path: string }): Error {
  if (isUnreachable(error)) log.warn({ ...where, err: error }, 'not available')
  else log.error({ ...where, err: error }, 'a page failed')
  return new Error('The page failed; the line of its request id says why')
}
