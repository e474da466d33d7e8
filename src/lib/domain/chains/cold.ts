/** How many coins go from the hot wallet to cold storage. Source: ADR 0035. */

/** The part of all coins, in percent, that stays hot. */
const HOT_PERCENT = 5n
/** A move is worth at least this part of the ceiling, so that a balance at the ceiling does not make one small move after the other. */
const LEAST_PART = 10n
const PERCENT = 100n

/** Amounts of one token in smallest units. */
type Hot = {
  /** What the hot wallet can spend. */
  hot: bigint
  /** All coins of the token: hot, at customers' addresses and cold. */
  all: bigint
  /** Withdrawals that are still to be paid. */
  open: bigint
  /** What stays hot in any case. */
  floor: bigint
  /** What may still be moved in these 24 hours. */
  most: bigint
  ceilingCents: bigint
  centsOf: (units: bigint) => bigint
}

const larger = (one: bigint, other: bigint) => (one > other ? one : other)
const smaller = (one: bigint, other: bigint) => (one < other ? one : other)

/**
 * The amount to move: nothing up to the ceiling; above it, all but the largest of 5 % of all coins, the floor and the open withdrawals, as far
 * as the limit of the day allows it and if that is worth a move.
 */
export function coldAmount({ hot, all, open, floor, most, ceilingCents, centsOf }: Hot): bigint {
  if (centsOf(hot) <= ceilingCents) return 0n
  const kept = larger(larger((all * HOT_PERCENT + PERCENT - 1n) / PERCENT, floor), open)
  const amount = smaller(hot - kept, most)
  return amount > 0n && centsOf(amount) * LEAST_PART >= ceilingCents ? amount : 0n
}

/** What of an order of staff can be moved now: never what the floor and the open withdrawals need, nor more than the limit of the day. */
export function orderedAmount({ hot, open, floor, most }: Pick<Hot, 'hot' | 'open' | 'floor' | 'most'>, asked: bigint): bigint {
  const free = hot - larger(floor, open)
  const amount = smaller(smaller(asked, free), most)
  return amount > 0n ? amount : 0n
}

/** `low`: below the floor, or less than the withdrawals that are open. `high`: worth more than the ceiling. */
export type HotState = 'low' | 'in_band' | 'high'

export function hotStateOf(
  { hot, open, floor }: Pick<Hot, 'hot' | 'open' | 'floor'>,
  cents: bigint,
  ceilingCents: bigint
): HotState {
  if (hot < larger(floor, open)) return 'low'
  return cents > ceilingCents ? 'high' : 'in_band'
}

/** What brings a low hot wallet into its band: to twice the floor, after the open withdrawals are paid. */
export function refillWanted({ hot, open, floor }: Pick<Hot, 'hot' | 'open' | 'floor'>): bigint {
  const wanted = open + floor * 2n - hot
  return wanted > 0n ? wanted : 0n
}
