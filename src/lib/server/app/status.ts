/** Whether the product works as it should, in one word, for the foot of every page. */
import { and, isNull, lt } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import { jobs } from '../platform/db/schema.ts'
import type { RatesSource } from '../rates/index.ts'

/** `prices`: there are none that are fresh enough. `delayed`: mails or bank files wait for longer than they should. */
export type Status = 'works' | 'prices' | 'delayed'

const FRESH_MS = 30_000
/** A job that is due for this long has nobody who takes it, or fails again and again. */
const LATE_MS = 10 * 60_000

/** Answers the last known status at once, and looks again in the background when that is 30 s old. */
export function createStatus({ db, clock, log }: Context, rates: RatesSource): () => Status {
  let status: Status = 'works'
  let lookedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<Status> {
    const late = and(isNull(jobs.failedAt), lt(jobs.runAt, new Date(clock().getTime() - LATE_MS)))
    const [waiting] = await db.select({ id: jobs.id }).from(jobs).where(late).limit(1)
    if (waiting) return 'delayed'
    return rates.current().then(
      () => 'works',
      () => 'prices'
    )
  }

  return () => {
    const now = clock().getTime()
    if (now - lookedAt >= FRESH_MS) {
      lookedAt = now
      look().then(
        (found) => {
          status = found
        },
        (error: unknown) => log.warn({ err: error }, 'status not known')
      )
    }
    return status
  }
}
