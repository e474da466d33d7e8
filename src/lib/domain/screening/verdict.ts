/** Whether money may move, by what is known about the names behind it. */

/** A list that was read longer ago proves nothing. */
const LIST_DAYS = 7
/** The EU publishes a new one several times a month. */
const MADE_DAYS = 30
const DAY_MS = 86_400_000

/** What was read last. `readAt`: null if it was never read completely. */
export type ListState = { source: string; version: string | null; entries: number; readAt: Date | null; error: string | null }

/** `off`: no list is set. `stale`: one is set, and was not read for a week. */
export type ScreeningState = 'off' | 'current' | 'stale'

/** By when it was read, and by its own date: a server may go on to give an old file. */
export function screeningStateOf(list: Pick<ListState, 'readAt' | 'version'> | undefined, now: Date): ScreeningState {
  if (!list) return 'off'
  const madeAt = Date.parse(list.version ?? '')
  const isRead = list.readAt !== null && now.getTime() - list.readAt.getTime() <= LIST_DAYS * DAY_MS
  const isOld = !Number.isNaN(madeAt) && now.getTime() - madeAt > MADE_DAYS * DAY_MS
  return isRead && !isOld ? 'current' : 'stale'
}

type Asked = {
  state: ScreeningState
  /** Names of this customer that a person must decide about, or has decided against. */
  hits: number
  /** When the name was looked at that counts now. */
  screenedAt: Date | null
  /** The sum of a day, and the setting above which a stale list keeps it. Both in the same currency. */
  cents: bigint
  aboveCents: bigint
  now: Date
}

/** Whether it must wait: for a decision, for the first look at the name, or for a list. */
export function mustWait({ state, hits, screenedAt, cents, aboveCents, now }: Asked): boolean {
  if (hits > 0) return true
  if (state === 'off') return false
  if (!screenedAt) return true
  if (state === 'stale') return cents > aboveCents
  return now.getTime() - screenedAt.getTime() > LIST_DAYS * DAY_MS
}
