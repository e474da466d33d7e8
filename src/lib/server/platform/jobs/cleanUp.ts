/** Removes expired rows, so that no table grows without bound. Records of money are kept for ever. */
import { inArray, lt } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Database } from '../db/client.ts'
import { idempotencyKeys, rateLimits } from '../db/schema.ts'
import type { JobKind } from './kinds.ts'

const DAY_MS = 86_400_000
const KEYS_KEPT_DAYS = 7
const EVERY_SECONDS = 600

/** The clean-up of a feature. `daysAgo(90)` is the moment 90 days before now. */
export type CleanUp = (db: Database, now: Date, daysAgo: (days: number) => Date) => Promise<void>

const platformCleanUp: CleanUp = async (db, now, daysAgo) => {
  // Rows that a call is counting on are left for the next time: two orders of locking would end one side.
  const over = db.select({ key: rateLimits.key }).from(rateLimits).where(lt(rateLimits.resetsAt, now))
  await db.delete(rateLimits).where(inArray(rateLimits.key, over.orderBy(rateLimits.key).for('update', { skipLocked: true })))
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, daysAgo(KEYS_KEPT_DAYS)))
}

export async function cleanUp({ db, clock }: Context, cleanUps: CleanUp[]): Promise<void> {
  const now = clock()
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const failed: unknown[] = []
  // One that fails, e.g. because it takes too long, does not keep the others from their turn.
  for (const ofFeature of [platformCleanUp, ...cleanUps])
    await ofFeature(db, now, daysAgo).catch((error: unknown) => failed.push(error))
  if (failed.length > 0) throw failed[0]
}

export function cleanUpJob(context: Context, cleanUps: CleanUp[]): JobKind {
  // The job's name in the database since the first release.
  return { name: 'sweep', role: 'worker', everySeconds: EVERY_SECONDS, run: () => cleanUp(context, cleanUps) }
}
