/** Signs of life: something that stops without an error is noticed by what it no longer says. */
import { inArray } from 'drizzle-orm'
import type { Context } from './context.ts'
import type { Executor } from './db/client.ts'
import { heartbeats } from './db/schema.ts'

/** Says that this has just happened. */
export async function beat({ db, clock }: Pick<Context, 'db' | 'clock'>, name: string): Promise<void> {
  const row = { name, at: clock() }
  await db.insert(heartbeats).values(row).onConflictDoUpdate({ target: heartbeats.name, set: row })
}

/** When each of these last happened; one that never did is missing. */
export async function lastBeats(db: Executor, names: string[]): Promise<Map<string, Date>> {
  const rows = await db.select().from(heartbeats).where(inArray(heartbeats.name, names))
  return new Map(rows.map(({ name, at }) => [name, at]))
}
