/** The kinds of activity lines, to filter by. */
export const ACTIVITY_KINDS = ['purchase', 'deposit', 'withdrawal', 'trade', 'transfer', 'reward', 'payment'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** What a list can be limited to: a kind, or `paid`, all that is paid in or out. */
export const ACTIVITY_FILTERS = [...ACTIVITY_KINDS, 'paid'] as const
export type ActivityFilterKind = (typeof ACTIVITY_FILTERS)[number]
const PAID: string[] = ['purchase', 'deposit', 'withdrawal']

export function isOfFilter(kind: string, filter: ActivityFilterKind): boolean {
  return filter === 'paid' ? PAID.includes(kind) : kind === filter
}

/** The events of activity lines. A new one needs a sentence in `messages`. */
export const ACTIVITY_NAMES = [
  'order',
  'deposit',
  'withdrawal',
  'trade',
  'move',
  'adjustment',
  'referral',
  'staking_reward',
  'staking_returned',
  'bonus_released',
  'unfit_payment',
  'refund'
] as const
export type ActivityName = (typeof ACTIVITY_NAMES)[number]

/** The amount came in, went out, moved between the customer's own accounts, or changed no balance (`none`). */
export const DIRECTIONS = ['in', 'out', 'moved', 'none'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** A text as a search compares it: lower case, without spaces and thousands separators (spec section 5). */
export function plainForSearch(text: string): string {
  return text.replace(/[\s,]/g, '').toLowerCase()
}

/** True for a line's time (ISO 8601, UTC) and id joined by `_`, e.g. `2026-11-22T10:00:00.000Z_order:7`. */
export function isCursor(text: string): boolean {
  if (!/^[\d:T.Z-]{24}_[\w:-]{1,60}$/.test(text)) return false
  const time = new Date(text.slice(0, 24))
  // JavaScript takes 30 February and year 0, PostgreSQL does not: such a time reads as another one, or lies before our first line.
  return time.getTime() >= 0 && time.toISOString() === text.slice(0, 24)
}
