import { sql } from 'drizzle-orm'
import { batchOnce } from './batch.ts'
import type { Context } from './context.ts'
import { statementOnce } from './db/builtOnce.ts'
import type { Database } from './db/client.ts'
import { isReadOnly } from './db/faults.ts'
import { runNamed } from './db/named.ts'
import { notReading } from './db/pageReads.ts'
import { AppError } from './errors.ts'
import { tryAgain } from './transaction.ts'

/** `isForgettable`: a crash may forget the uses of the last second, so that counting does not wait for the disk. Never for a secret. */
export type Limit = { key: string; max: number; windowSeconds: number; isForgettable?: boolean | undefined }

export type Counts = Pick<Context, 'db' | 'quickDb' | 'clock' | 'limitScale'>
/** What `limits_count` returns. */
export type Counted = { key: string; count: number; resetsAtMs: number }[] | null

/** One limit that must last makes all of the call's limits last. */
export const databaseFor = ({ db, quickDb }: Counts, limits: Limit[]) =>
  limits.every(({ isForgettable }) => isForgettable) ? quickDb : db

/** What `limits_count` takes, as JSON. */
export const asCounted = (limits: Limit[]) => limits.map(({ key, windowSeconds }) => ({ key, seconds: windowSeconds }))

/**
 * Counts one use of each limit, all in one statement; throws `too_many_requests` with the wait if one is exceeded. The uses of the
 * others are then given back, so that a call refused by one limit does not use up another.
 */
export async function countAgainst(context: Counts, limits: Limit[]): Promise<void> {
  if (limits.length === 0) return
  const isQuick = databaseFor(context, limits) === context.quickDb
  const counting = isQuick ? countQuickly(context, limits) : notReading(() => count(context, context.db, limits))
  await refuseExceeded(context, limits, await counting)
}

/** Counts uses of limits that a crash may forget, one for each time that a limit is listed. Returns the counts after them; null while the database takes no writes. */
export const countQuickly = (context: Counts, limits: Limit[]): Promise<Counted> => notReading(() => quickly(context).add(limits))

const countOnce = statementOnce<{ counted: Counted }>(
  'limits_count',
  () => sql`select limits_count(${sql.placeholder('limits')}::jsonb, ${sql.placeholder('at')}::timestamptz) as counted`
)

async function count({ clock }: Pick<Counts, 'clock'>, db: Database, limits: Limit[]): Promise<Counted> {
  const values = { limits: JSON.stringify(asCounted(limits)), at: clock().toISOString() }
  const [row] = await tryAgain(() => countOnce(db, values))
  return row?.counted ?? null
}

/** What asks for several figures at one moment, such as a page, counts all of its limits in one statement. */
const quickly = batchOnce((context: Counts) => ({
  run: (all: Limit[][]) => countAll(context, all),
  lanes: 4,
  most: 64
}))

/**
 * What each of several calls sees of what one statement counted for all of them: the uses before it, and its own. The calls after one
 * that is refused do not count what `refuseExceeded` gives back for it.
 */
export function sharesOf({ limitScale }: Pick<Counts, 'limitScale'>, counted: Counted, all: Limit[][]): Counted[] {
  const rows = new Map(counted?.map((row) => [row.key, row]))
  const used = new Map(counted?.map(({ key, count }) => [key, count]))
  const use = (key: string, times: 1 | -1) => used.set(key, (used.get(key) ?? 0) + times)
  for (const { key } of all.flat()) use(key, -1)
  return all.map((limits) => {
    for (const { key } of limits) use(key, 1)
    const keys = new Set(limits.map(({ key }) => key))
    const share = [...keys].flatMap((key) => {
      const row = rows.get(key)
      return row ? [{ ...row, count: used.get(key) ?? 0 }] : []
    })
    const exceeded = limits.filter((limit) => isExceeded(limit, used.get(limit.key), limitScale))
    if (exceeded.length > 0) for (const limit of limits) if (!exceeded.includes(limit)) use(limit.key, -1)
    return share
  })
}

const isExceeded = ({ max }: Limit, count: number | undefined, limitScale: number) => (count ?? 0) > max * limitScale

async function countAll(context: Counts, all: Limit[][]): Promise<Counted[]> {
  try {
    return sharesOf(context, await count(context, context.quickDb, all.flat()), all)
  } catch (error) {
    // While the database takes no writes, what guards no secret is not counted: nothing can be changed, and pages still answer.
    if (isReadOnly(error)) return all.map(() => null)
    throw error
  }
}

/** Throws `too_many_requests` as `countAgainst` does, for uses that another statement counted. */
export async function refuseExceeded(context: Counts, limits: Limit[], counted: Counted): Promise<void> {
  const found = new Map(counted?.map((row) => [row.key, row]))
  const isOne = (limit: Limit) => isExceeded(limit, found.get(limit.key)?.count, context.limitScale)
  const exceeded = limits.find(isOne)
  if (!exceeded) return
  await giveBack(
    context,
    limits.filter((limit) => !isOne(limit))
  )
  throw tooMany(context, found.get(exceeded.key)?.resetsAtMs ?? 0)
}

/** The refusal of a call whose limit is spent until `resetsAtMs`. */
export function tooMany({ clock }: Pick<Counts, 'clock'>, resetsAtMs: number): AppError {
  const waitMs = resetsAtMs - clock().getTime()
  return new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Gives back one use of each limit, for a call that does not count after all. */
export async function giveBack(context: Counts, limits: Limit[]): Promise<void> {
  if (limits.length === 0) return
  const keys = JSON.stringify(limits.map(({ key }) => key))
  await notReading(() =>
    runNamed(
      databaseFor(context, limits),
      'limits_give_back',
      sql`
      update rate_limits set count = greatest(0, count - 1)
      where key in (
        select key from rate_limits where key in (select jsonb_array_elements_text(${keys}::jsonb)) order by key for update
      )`
    )
  )
}
