/** Jobs as an operator looks at them. */
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '../db/client.ts'
import { oneOf } from '../db/columns.ts'
import { isNotBulk, jobs } from '../db/schema.ts'
import type { Work } from '../transaction.ts'
import { BULK_MAIL, MAIL } from './kinds.ts'

const MOST = 500

/** How many of each kind wait or run. */
export function waitingJobs(db: Executor): Promise<{ kind: string; count: number }[]> {
  return db
    .select({ kind: jobs.kind, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(isNull(jobs.failedAt))
    .groupBy(jobs.kind)
}

/** Recurring jobs that have failed at least this often in a row: each success sets their tries back. */
const FAILING_TRIES = 5

export function failingJobs(db: Executor): Promise<{ kind: string; tries: number; lastError: string | null }[]> {
  return db
    .select({ kind: jobs.kind, tries: jobs.tries, lastError: jobs.lastError })
    .from(jobs)
    .where(
      and(
        isNotNull(jobs.key),
        isNull(jobs.failedAt),
        gte(jobs.tries, FAILING_TRIES),
        isNotNull(jobs.lastError),
        eq(jobs.key, jobs.kind)
      )
    )
    .orderBy(asc(jobs.kind))
}

/** How many failed for good, and for how many seconds the oldest mail has been due. A mail in bulk counts as due a day later, because it may wait for hours. */
export async function jobTroubles(db: Executor, now: Date): Promise<{ failed: bigint; mailSeconds: bigint }> {
  const [row] = await db
    .select({
      failed: sql<number>`count(*) filter (where ${jobs.failedAt} is not null)::int`,
      oldestMail: sql<
        string | Date | null
      >`min(case when ${isNotBulk(jobs.kind)} then ${jobs.runAt} else ${jobs.runAt} + interval '1 day' end)
        filter (where ${jobs.failedAt} is null and ${oneOf(jobs.kind, [MAIL, BULK_MAIL])})`
    })
    .from(jobs)
  const at = row?.oldestMail ? new Date(row.oldestMail).getTime() : now.getTime()
  return { failed: BigInt(row?.failed ?? 0), mailSeconds: BigInt(Math.max(0, Math.floor((now.getTime() - at) / 1000))) }
}

/** The same without what they hold, e.g. codes of mails. */
export function givenUpJobs(db: Executor) {
  const { id, kind, tries, failedAt, lastError } = jobs
  return db.select({ id, kind, tries, failedAt, lastError }).from(jobs).where(isNotNull(failedAt)).orderBy(asc(id)).limit(MOST)
}

/** The jobs with these keys that are not done: a job that is done is deleted. */
export async function jobsUnder(db: Executor, keys: string[]) {
  if (keys.length === 0) return []
  const { id, key, failedAt, lastError } = jobs
  return db.select({ id, key, failedAt, lastError }).from(jobs).where(inArray(jobs.key, keys))
}

/** What a job of these kinds failed with last, where one is still to be done. */
export async function lastErrorOf(db: Executor, kinds: string[]): Promise<string | null> {
  const { id, lastError } = jobs
  const [row] = await db
    .select({ lastError })
    .from(jobs)
    .where(and(inArray(jobs.kind, kinds), isNotNull(lastError)))
    .orderBy(desc(id))
    .limit(1)
  return row?.lastError ?? null
}

/** Of these jobs those that are not done: a job that is done is deleted. */
export async function jobStates(db: Executor, ids: bigint[]): Promise<Map<bigint, 'waits' | 'gave up'>> {
  if (ids.length === 0) return new Map()
  const rows = await db.select({ id: jobs.id, failedAt: jobs.failedAt }).from(jobs).where(inArray(jobs.id, ids))
  return new Map(rows.map(({ id, failedAt }) => [id, failedAt ? 'gave up' : 'waits']))
}

/** Lets a job that gave up run again; false for a mail, and where there is none. */
export async function retryJob({ tx, now }: Work, id: bigint): Promise<boolean> {
  const answer = await tx.execute(sql`select jobs_retry(${id}, ${now.toISOString()}::timestamptz) as done`)
  return rowsOf<{ done: boolean }>(answer)[0]?.done ?? false
}

/** Jobs that failed for good, the oldest first, at most 500. */
export function failedJobs(db: Executor): Promise<(typeof jobs.$inferSelect)[]> {
  return db.select().from(jobs).where(isNotNull(jobs.failedAt)).orderBy(asc(jobs.id)).limit(MOST)
}
