/** The product's status in one word, for the footer of every page. */
import { and, isNull, lt } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { isUnreachable } from '../platform/db/faults.ts'
import { isNotBulk, jobs } from '../platform/db/schema.ts'
import type { RatesSource } from '../rates/index.ts'

/** `prices`: there are no fresh prices. `delayed`: jobs, e.g. mails or bank files, wait too long. `unavailable`: the database is away. */
export type Status = 'works' | 'prices' | 'delayed' | 'unavailable'

const FRESH_MS = 30_000
const SOON_MS = 5000
/** A job that has been due for this long is late: no worker takes it. A mail in bulk may wait for hours, so it does not count. */
const LATE_MS = 10 * 60_000

/** Returns the last known status at once, and refreshes it in the background when it is 30 s old, sooner where the database was away. */
export function createStatus({ db, clock, log }: Context, rates: RatesSource): () => Status {
  let status: Status = 'works'
  let lookedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<Status> {
    const late = and(isNull(jobs.failedAt), isNotBulk(jobs.kind), lt(jobs.runAt, new Date(clock().getTime() - LATE_MS)))
    const [waiting] = await db.select({ id: jobs.id }).from(jobs).where(late).limit(1)
    if (waiting) return 'delayed'
    return rates.current().then(
      () => 'works',
      () => 'prices'
    )
  }

  return () => {
    const now = clock().getTime()
    if (now - lookedAt >= (status === 'unavailable' ? SOON_MS : FRESH_MS)) {
      lookedAt = now
      look().then(
        (found) => {
          status = found
        },
        (error: unknown) => {
          if (isUnreachable(error)) status = 'unavailable'
          log.warn({ err: error }, 'status not known')
        }
      )
    }
    return status
  }
}
