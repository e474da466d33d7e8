/** For tests of two transactions that want the same rows. */
import { sql } from 'drizzle-orm'
import { type Database, type Executor, rowsOf, type Transaction } from '#lib/server/platform/db/client.ts'

/**
 * Returns once `count` transactions of this database wait for a lock, and throws after four seconds. `within`: only those whose statement has
 * this text.
 */
export async function untilWaiting(db: Executor, count = 1, within = ''): Promise<void> {
  const waiting = sql`
    select distinct l.pid from pg_locks l join pg_stat_activity s on s.pid = l.pid
    where s.datname = current_database() and not l.granted and position(${within} in s.query) > 0`
  for (let tries = 0; tries < 200; tries += 1) {
    // A transaction sees the connections of its first look until this is called.
    await db.execute(sql`select pg_stat_clear_snapshot()`)
    if (rowsOf(await db.execute(waiting)).length >= count) return
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error(`Fewer than ${count} waited for a lock`)
}

/** Keeps what `lock` locks until the returned function is called. */
export async function holding(db: Database, lock: (tx: Transaction) => Promise<unknown>): Promise<() => Promise<void>> {
  const [isHeld, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = db.transaction(async (tx) => {
    await lock(tx)
    isHeld.resolve()
    await isFree.promise
  })
  await isHeld.promise
  return () => {
    isFree.resolve()
    return holder
  }
}
