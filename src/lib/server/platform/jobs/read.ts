/** Jobs as an operator looks at them. */
import { asc, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { jobs } from '../db/schema.ts'

const MOST = 500

/** How many of each kind wait or run. */
export function waitingJobs(db: Executor): Promise<{ kind: string; count: number }[]> {
  return db
    .select({ kind: jobs.kind, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(isNull(jobs.failedAt))
    .groupBy(jobs.kind)
}

/** Jobs that failed for good, the oldest first, at most 500. */
export function failedJobs(db: Executor): Promise<(typeof jobs.$inferSelect)[]> {
  return db.select().from(jobs).where(isNotNull(jobs.failedAt)).orderBy(asc(jobs.id)).limit(MOST)
}
