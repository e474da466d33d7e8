import { eq, sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { rateLimits } from './db/schema.ts'
import { AppError } from './errors.ts'

export type Limit = { key: string; max: number; windowSeconds: number }

/**
 * Counts one use of each limit, with one statement each; throws `too_many_requests` with the wait if one is exceeded. The uses
 * already counted are then given back, so that a call refused by one limit does not use up another.
 */
export async function countAgainst(context: Context, limits: Limit[]): Promise<void> {
  for (const [index, { key, max, windowSeconds }] of limits.entries()) {
    const now = context.clock()
    const resetsAt = new Date(now.getTime() + windowSeconds * 1000)
    const nowText = now.toISOString()
    const [row] = await context.db
      .insert(rateLimits)
      .values({ key, count: 1, resetsAt })
      .onConflictDoUpdate({
        target: rateLimits.key,
        set: {
          count: sql`case when ${rateLimits.resetsAt} <= ${nowText}::timestamptz then 1 else ${rateLimits.count} + 1 end`,
          resetsAt: sql`case when ${rateLimits.resetsAt} <= ${nowText}::timestamptz then excluded.resets_at else ${rateLimits.resetsAt} end`
        }
      })
      .returning()
    if (row && row.count > max * context.limitScale) {
      await giveBack(context, limits.slice(0, index))
      const retryAfterSeconds = Math.max(1, Math.ceil((row.resetsAt.getTime() - now.getTime()) / 1000))
      throw new AppError('too_many_requests', { retryAfterSeconds })
    }
  }
}

/** Gives back one use of each limit, for a call that does not count after all. */
export async function giveBack(context: Context, limits: Limit[]): Promise<void> {
  for (const { key } of limits) {
    await context.db
      .update(rateLimits)
      .set({ count: sql`greatest(0, ${rateLimits.count} - 1)` })
      .where(eq(rateLimits.key, key))
  }
}
