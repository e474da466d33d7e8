import { isGivenUp, isUnreachable } from '../db/faults.ts'
import type { Log } from '../log.ts'

export type FailedPage = { requestId?: string | undefined; path: string }

/** Writes down why a page could not be made, without the values of a failed statement. Returns true if the database is away. */
export function pageFailed(log: Log, error: unknown, where: FailedPage): boolean {
  const isUnavailable = isUnreachable(error) || isGivenUp(error)
  if (isUnavailable) log.warn({ ...where, err: error }, 'not available')
  else log.error({ ...where, err: error }, 'a page failed')
  return isUnavailable
}
