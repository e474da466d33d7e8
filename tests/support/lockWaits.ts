/** Waits for those who wait: tests of what happens when two transactions want the same rows. */
import { sql } from 'drizzle-orm'
import { type Executor, rowsOf } from '#lib/server/platform/db/client.ts'

/** Returns once `count` transactions of this database wait for a lock; fails after four seconds. */
export async function untilWaiting(db: Executor, count = 1): Promise<void> {
  const waiting = sql`
    select distinct l.pid from pg_locks l join pg_stat_activity s on s.pid = l.pid
    where s.datname = current_database() and not l.granted`
  for (let tries = 0; tries < 200; tries += 1) {
    if (rowsOf(await db.execute(waiting)).length >= count) return
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error(`${count} did not wait for a lock`)
}
