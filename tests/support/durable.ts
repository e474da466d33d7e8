import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type Database, rowsOf } from '#lib/server/platform/db/client.ts'

/** Tests that kill processes prove nothing on a database whose commits do not wait for the disk. */
export async function expectDurable(db: Database): Promise<void> {
  const answer = await db.execute(
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit`
  )
  expect(rowsOf(answer)).toEqual([{ fsync: 'on', pages: 'on', commit: 'on' }])
}
