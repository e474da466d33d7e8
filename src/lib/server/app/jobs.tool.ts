/** `npm run jobs`: shows how many jobs wait, and those that failed for good. */
import { asc, isNotNull, isNull, sql } from 'drizzle-orm'
import { jobs } from '../platform/db/schema.ts'
import { runTool } from './tool.ts'

await runTool(async ({ db }) => {
  const waiting = await db
    .select({ kind: jobs.kind, count: sql<number>`count(*)::int` })
    .from(jobs)
    .where(isNull(jobs.failedAt))
    .groupBy(jobs.kind)
  const failed = await db.select().from(jobs).where(isNotNull(jobs.failedAt)).orderBy(asc(jobs.id)).limit(500)
  console.log(`Waiting: ${waiting.map(({ kind, count }) => `${count} ${kind}`).join(', ') || 'none'}`)
  if (failed.length === 0) console.log('No job failed for good.')
  for (const { id, kind, tries, failedAt, lastError, payload } of failed) {
    console.log(`${id} ${kind} failed for good at ${failedAt?.toISOString()} after ${tries} tries: ${lastError}`)
    console.log(`  ${JSON.stringify(payload)}`)
  }
  return failed.length === 0 ? 0 : 1
})
