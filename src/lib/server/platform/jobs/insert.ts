import { and, eq, isNotNull } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { jobs } from '../db/schema.ts'

/** `key`: while a job with this key exists, a second one is dropped. */
export type NewJob = { kind: string; payload: object; runAt?: Date; key?: string }

export async function insertJobs(db: Executor, made: NewJob[], now: Date): Promise<void> {
  if (made.length === 0) return
  await db
    .insert(jobs)
    .values(
      made.map(({ kind, payload, runAt, key }) => ({ kind, payload, key: key ?? null, runAt: runAt ?? now, createdAt: now }))
    )
    .onConflictDoNothing({ target: jobs.key })
}

/** Deletes the jobs of a kind that have failed for good. */
export async function forgetFailed(db: Executor, kind: string): Promise<void> {
  await db.delete(jobs).where(and(eq(jobs.kind, kind), isNotNull(jobs.failedAt)))
}
