/** How far each reader of an outside source has read. */
import { eq } from 'drizzle-orm'
import type { Executor } from './client.ts'
import { cursors } from './schema.ts'

export async function readCursor(db: Executor, name: string): Promise<string | undefined> {
  const [known] = await db.select({ value: cursors.value }).from(cursors).where(eq(cursors.name, name))
  return known?.value
}

export async function keepCursor(db: Executor, name: string, value: string, now: Date): Promise<void> {
  const row = { value, updatedAt: now }
  await db
    .insert(cursors)
    .values({ name, ...row })
    .onConflictDoUpdate({ target: cursors.name, set: row })
}

/** Sets a cursor only if it has no value yet; returns true if it did. */
export async function claimCursor(db: Executor, name: string, value: string, now: Date): Promise<boolean> {
  const first = await db
    .insert(cursors)
    .values({ name, value, updatedAt: now })
    .onConflictDoNothing()
    .returning({ name: cursors.name })
  return first.length > 0
}
