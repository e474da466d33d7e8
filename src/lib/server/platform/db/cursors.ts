/** How far a reader of the outside world has come. */
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

/** True if this name had no value yet. */
export async function claimCursor(db: Executor, name: string, value: string, now: Date): Promise<boolean> {
  const first = await db
    .insert(cursors)
    .values({ name, value, updatedAt: now })
    .onConflictDoNothing()
    .returning({ name: cursors.name })
  return first.length > 0
}
