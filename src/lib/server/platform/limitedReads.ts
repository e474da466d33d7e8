/** Limits of calls that change nothing: they are counted while the call reads, and several uses at a time. */
import { attempt } from './attempt.ts'
import { type Counts, countAgainst, countQuickly, type Limit, tooMany } from './limits.ts'

/** What this process knows of a limit in its present window. */
type Known = {
  /** By the database, once it has answered. */
  resetsAtMs: number
  /** Uses by all processes, as the database last counted them. */
  count: number
  /** Uses that are counted and that no read has had yet. */
  left: number
  /** A statement counts several uses now. */
  isTaking: boolean
  isSpent: boolean
  /** How many reads began before they were counted. */
  begun: number
}

/** How many uses a process counts at once, once it has heard of an earlier use of the window. */
const USES_AT_ONCE = 8
/** At most this part of a limit is counted at once: what a process keeps for its own next reads is little of the whole. */
const PART_AT_ONCE = 1 / 15
/** Above this part of a limit uses are counted one by one, so that processes leave each other the rest. */
const PART_ONE_BY_ONE = 1 / 2
const LONGEST_AHEAD_SECONDS = 60
const FEW_KNOWN = 1000

/** By the clock: a process has one, however many contexts share it. */
const knownBy = new WeakMap<Counts['clock'], { byKey: Map<string, Known>; most: number }>()

function knownOf({ clock }: Counts, { key, windowSeconds }: Limit): Known {
  const kept = knownBy.get(clock) ?? { byKey: new Map<string, Known>(), most: FEW_KNOWN }
  const now = clock().getTime()
  const found = kept.byKey.get(key)
  if (found && found.resetsAtMs > now) return found
  if (kept.byKey.size >= kept.most) {
    for (const [one, { resetsAtMs }] of kept.byKey) if (resetsAtMs <= now) kept.byKey.delete(one)
    kept.most = Math.max(FEW_KNOWN, 2 * kept.byKey.size)
  }
  const fresh = { resetsAtMs: now + windowSeconds * 1000, count: 0, left: 0, isTaking: false, isSpent: false, begun: 0 }
  kept.byKey.set(key, fresh)
  knownBy.set(clock, kept)
  return fresh
}

/**
 * Counts one use of each limit and runs `read`, which must change nothing. Returns what `read` returns; throws `too_many_requests` with the wait if
 * a limit is spent, whatever `read` has found.
 *
 * One limit of at most a minute that a crash may forget is counted while `read` runs, so that a page waits for the database once. It still bounds what
 * the database is asked: in a window a process begins at most as many reads ahead as the limit allows. All else is counted first.
 *
 * A limit that a crash may forget is counted up to USES_AT_ONCE times in one statement, and this process keeps those uses for its next reads. All processes together
 * let through no more reads than the limit, as long as their clocks agree, because a use is counted before a read has it. Another process, and the same call
 * over HTTP, cannot have the uses that are kept here. A spent limit refuses without the database until its window is over.
 */
export function countedWith<T>(context: Counts, limits: Limit[], read: () => Promise<T>): Promise<T> {
  const [limit, ...others] = limits
  if (!limit) return read()
  if (others.length > 0 || !limit.isForgettable) return countAgainst(context, limits).then(read)
  const known = knownOf(context, limit)
  if (known.left > 0) {
    known.left -= 1
    return read()
  }
  return countAndRead(context, limit, known, read)
}

async function countAndRead<T>(context: Counts, limit: Limit, known: Known, read: () => Promise<T>): Promise<T> {
  if (known.isSpent) throw tooMany(context, known.resetsAtMs)
  if (limit.windowSeconds > LONGEST_AHEAD_SECONDS || known.begun >= limit.max * context.limitScale) {
    await takeUses(context, limit, known)
    return read()
  }
  known.begun += 1
  const [counted, answered] = await Promise.allSettled([takeUses(context, limit, known), attempt(read)])
  if (counted.status === 'rejected') throw counted.reason
  if (answered.status === 'rejected') throw answered.reason
  return answered.value
}

/** Counts one use, and those of the next reads. */
async function takeUses(context: Counts, limit: Limit, known: Known): Promise<void> {
  const most = Math.floor(limit.max * context.limitScale)
  const uses = usesToTake(known, most)
  known.isTaking ||= uses > 1
  try {
    const [row] = (await countQuickly(context, Array<Limit>(uses).fill(limit))) ?? []
    if (!row) return
    // It was counted in the next window: what is left is of the one before.
    if (row.resetsAtMs > known.resetsAtMs) known.left = 0
    known.resetsAtMs = row.resetsAtMs
    known.count = row.count
    // Of several, some may be within the limit.
    known.left += Math.max(0, uses - Math.max(0, row.count - most))
    known.isSpent = known.left === 0
    if (known.isSpent) throw tooMany(context, known.resetsAtMs)
    known.left -= 1
  } catch (error) {
    // Its uses may be counted all the same: the next statement counts one.
    if (!known.isSpent) known.count = 0
    throw error
  } finally {
    if (uses > 1) known.isTaking = false
  }
}

function usesToTake({ count, isTaking }: Known, most: number): number {
  if (count === 0 || isTaking || count > most * PART_ONE_BY_ONE) return 1
  return Math.max(1, Math.min(USES_AT_ONCE, Math.floor(most * PART_AT_ONCE)))
}
