/** What a line of the activity is about. */
export const ACTIVITY_KINDS = ['purchase', 'deposit', 'withdrawal', 'trade', 'transfer', 'reward', 'payment'] as const
export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

/** What happened. A new one needs its words in `messages`. */
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

/** Whether an amount came in, went out, or only moved between the customer's own accounts. */
export const DIRECTIONS = ['in', 'out', 'moved', 'none'] as const
export type Direction = (typeof DIRECTIONS)[number]

/** How a search compares texts: without spaces and the commas of thousands, in lower case (spec section 5). */
export function plainForSearch(text: string): string {
  return text.replace(/[\s,]/g, '').toLowerCase()
}

/** Whether this names a line of the feed: its moment (ISO 8601, UTC) and its id, e.g. `2026-11-22T10:00:00.000Z_order:7`. */
export function isCursor(text: string): boolean {
  return /^[\d:T.Z-]{24}_[\w:-]{1,60}$/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)))
}
