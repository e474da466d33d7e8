/**
 * Claiming, keeping and finishing a job, each in one statement. Once its lease has ended and another worker has claimed the job, a
 * worker can no longer change it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Executor } from '../db/client.ts'
import { isNotBulk, jobs } from '../db/schema.ts'
import { describeError } from '../log.ts'
import { BULK_MAIL, type JobKind, triesOf, waitSeconds } from './kinds.ts'

/** Seconds after which other processes may take the job of a dead process. */
export const LEASE_SECONDS = 10

export type ClaimedJob = typeof jobs.$inferSelect & { lease: string }

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)
const mine = ({ id, lease }: ClaimedJob) => and(eq(jobs.id, id), eq(jobs.lease, lease))

/** Claims the next due job of these kinds; undefined if none is due. A mail in bulk is claimed only where no other job of these kinds is due. */
export async function claimJob({ db, clock }: Context, kinds: string[]): Promise<ClaimedJob | undefined> {
  if (kinds.length === 0) return undefined
  const now = clock()
  const lease = randomUUID()
  const due = (which: SQL | undefined) =>
    db
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(isNull(jobs.failedAt), lte(jobs.runAt, now), which))
      .orderBy(asc(jobs.runAt), asc(jobs.id))
      .limit(1)
      .for('update', { skipLocked: true })
  const prompt = due(and(isNotBulk(jobs.kind), inArray(jobs.kind, kinds)))
  const next = kinds.includes(BULK_MAIL) ? sql`coalesce((${prompt}), (${due(eq(jobs.kind, BULK_MAIL))}))` : sql`(${prompt})`
  const [taken] = await db
    .update(jobs)
    // Counted before the run, so that a job that kills its process fails for good too.
    .set({ lease, runAt: later(now, LEASE_SECONDS), tries: sql`${jobs.tries} + 1` })
    .where(eq(jobs.id, next))
    .returning()
  return taken && { ...taken, lease }
}

/** Another worker has claimed the job: this one was too slow, or was stopped for a while. What it had begun is left to the other. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

const running = new AsyncLocalStorage<ClaimedJob>()

/** What `run` does belongs to this job. */
export const asJob = <T>(job: ClaimedJob, run: () => Promise<T>): Promise<T> => running.run(job, run)

/**
 * For what must not be done by two at once, right before it is done: throws LeaseLostError if the caller runs for a job that another worker has
 * claimed meanwhile. Does nothing outside a job.
 */
export async function requireLease(db: Executor): Promise<void> {
  const job = running.getStore()
  if (!job) return
  const [held] = await db.select({ id: jobs.id }).from(jobs).where(mine(job))
  if (!held) throw new LeaseLostError(`Another worker has taken over the job ${job.kind}`)
}

/** Extends the lease of a job that takes longer. */
export async function renewLease({ db, clock }: Context, job: ClaimedJob): Promise<void> {
  await db
    .update(jobs)
    .set({ runAt: later(clock(), LEASE_SECONDS) })
    .where(mine(job))
}

/** Deletes a finished job; a recurring one waits for its next turn. */
export async function finishJob({ db, clock }: Context, kind: JobKind, job: ClaimedJob): Promise<void> {
  if (kind.everySeconds === undefined) await db.delete(jobs).where(mine(job))
  else {
    await db
      .update(jobs)
      .set({ lease: null, tries: 0, lastError: null, runAt: later(clock(), kind.everySeconds) })
      .where(mine(job))
  }
}

/** Schedules another try, after a growing wait. After the last try the job has failed for good and stays for the operator. */
export async function failJob({ db, clock, log }: Context, kind: JobKind, job: ClaimedJob, error: unknown): Promise<void> {
  const now = clock()
  const lastError = String(describeError(error).message).slice(0, 500)
  const hasFailed = job.tries >= triesOf(kind)
  const line = { job: String(job.id), kind: kind.name, tries: job.tries, lastError }
  if (hasFailed) log.error(line, 'job failed for good')
  else log.warn(line, 'job failed, to be tried again')
  await db
    .update(jobs)
    .set({
      lease: null,
      lastError,
      ...(hasFailed
        ? { failedAt: now, payload: kind.keptPayload?.(job.payload) ?? job.payload }
        : { runAt: later(now, waitSeconds(kind, job.tries)) })
    })
    .where(mine(job))
}
