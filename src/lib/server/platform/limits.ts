import { sql } from 'drizzle-orm'
import type { Context } from './context.ts'
import { runNamed } from './db/named.ts'
import { AppError } from './errors.ts'

/** `isForgettable`: a crash may forget the uses of the last second, so that counting does not wait for the disk. Never for a secret. */
export type Limit = { key: string; max: number; windowSeconds: number; isForgettable?: boolean | undefined }

type Counts = Pick<Context, 'db' | 'quickDb' | 'clock' | 'limitScale'>
type Row = { key: string; count: number; resets_at_ms: string }

/** One limit that must last makes all of the call's limits last. */
const databaseFor = ({ db, quickDb }: Counts, limits: Limit[]) =>
  limits.every(({ isForgettable }) => isForgettable) ? quickDb : db

/**
 * Counts one use of each limit, all in one statement; throws `too_many_requests` with the wait if one is exceeded. The uses of the
 * others are then given back, so that a call refused by one limit does not use up another.
 */
export async function countAgainst(context: Counts, limits: Limit[]): Promise<void> {
  if (limits.length === 0) return
  const now = context.clock()
  const at = sql`${now.toISOString()}::timestamptz`
  const counted = JSON.stringify(limits.map(({ key, windowSeconds }) => ({ key, seconds: windowSeconds })))
  // In the order of their keys, so that two calls can't wait for each other.
  const rows = await runNamed<Row>(
    databaseFor(context, limits),
    'limits_count',
    sql`
      insert into rate_limits as kept (key, count, resets_at)
      select l.key, 1, ${at} + l.seconds * interval '1 second'
      from jsonb_to_recordset(${counted}::jsonb) as l(key text, seconds int) order by l.key
      on conflict (key) do update set
        count = case when kept.resets_at <= ${at} then 1 else kept.count + 1 end,
        resets_at = case when kept.resets_at <= ${at} then excluded.resets_at else kept.resets_at end
      returning key, count, (extract(epoch from resets_at) * 1000)::bigint::text as resets_at_ms`
  )
  const found = new Map(rows.map((row) => [row.key, row]))
  const isExceeded = ({ key, max }: Limit) => (found.get(key)?.count ?? 0) > max * context.limitScale
  const exceeded = limits.find(isExceeded)
  if (!exceeded) return
  await giveBack(
    context,
    limits.filter((limit) => !isExceeded(limit))
  )
  const waitMs = Number(found.get(exceeded.key)?.resets_at_ms) - now.getTime()
  throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Gives back one use of each limit, for a call that does not count after all. */
export async function giveBack(context: Counts, limits: Limit[]): Promise<void> {
  if (limits.length === 0) return
  const keys = JSON.stringify(limits.map(({ key }) => key))
  await runNamed(
    databaseFor(context, limits),
    'limits_give_back',
    sql`
      update rate_limits set count = greatest(0, count - 1)
      where key in (
        select key from rate_limits where key in (select jsonb_array_elements_text(${keys}::jsonb)) order by key for update
      )`
  )
}
