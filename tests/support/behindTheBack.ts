import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#lib/server/platform/db/client.ts'

/** Changes the database with its triggers off, as only a superuser can. */
export async function behindTheBack(db: Database, ...statements: SQL[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    for (const statement of statements) await tx.execute(statement)
  })
}
