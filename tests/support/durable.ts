import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { type Database, rowsOf } from '#lib/server/platform/db/client.ts'

/** A test that kills proves nothing on a database that does not wait for its disk. */
export async function expectDurable(db: Database): Promise<void> {
  const answer = await db.execute(
    sql`select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages, current_setting('synchronous_commit') as commit`
  )
  expect(rowsOf(answer)).toEqual([{ fsync: 'on', pages: 'on', commit: 'on' }])
}
