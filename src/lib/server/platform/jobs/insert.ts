import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { runNamed } from '../db/named.ts'
import { jobs } from '../db/schema.ts'

/** `key`: while a job with this key exists, a second one is dropped. */
export type NewJob = { kind: string; payload: object; runAt?: Date; key?: string }

/** One statement of the same text for any number of jobs, so that it is prepared once. */
export async function insertJobs(db: Executor, made: NewJob[], now: Date): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ kind, payload, runAt = now, key }) => ({ kind, payload, key, at: runAt.toISOString() }))
  await runNamed(
    db,
    'jobs_insert',
    sql`insert into jobs (kind, payload, key, run_at, created_at)
      select j.kind, j.payload, j.key, j.at, ${now.toISOString()}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as j(kind text, payload jsonb, key text, at timestamptz)
      on conflict (key) do nothing`
  )
}

/** Deletes the jobs of a kind that have failed for good. */
export async function forgetFailed(db: Executor, kind: string): Promise<void> {
  await db.delete(jobs).where(and(eq(jobs.kind, kind), isNotNull(jobs.failedAt)))
}
