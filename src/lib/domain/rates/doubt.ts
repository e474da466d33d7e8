/** When a price is not used before an operator has looked at it: every limit in USD is only as good as the price. Source: ADR 0034. */
import { decimal, rescale } from '../money/decimal.ts'

/** `moved`: too far from the last price that was used, or from the median of the last days. `differs`: the second source says otherwise. */
export type Doubt = 'moved' | 'differs'
/** `last`: the price that was used last; `median`: of the last seven days; `second`: what the second source says. Undefined: unknown. */
export type KnownPrices = { last: string | undefined; median: string | undefined; second: string | undefined }

const MOST_MOVE_PERCENT = 30n
const MOST_DIFFERENCE_PERCENT = 10n
/** A price goes on moving while two persons look at it. */
export const MOST_SINCE_LOOKED_PERCENT = 2n
const PERCENT = 100n
const SCALE = 24

const digitsOf = (price: string) => rescale(decimal(price), SCALE, 'down').digits

/** True if the price differs from another one by more than these percent of the other. */
function isFar(price: string, from: string, percent: bigint): boolean {
  const [one, other] = [digitsOf(price), digitsOf(from)]
  return (one > other ? one - other : other - one) * PERCENT > other * percent
}

/** True if the price is still about what somebody has looked at: within two percent of it. */
export const isAsLookedAt = (price: string, lookedAt: string): boolean => !isFar(price, lookedAt, MOST_SINCE_LOOKED_PERCENT)

/** The middle one; of an even number the lower of the two. Undefined for none. */
export function medianOf(prices: string[]): string | undefined {
  const sorted = prices.toSorted((one, other) => (digitsOf(one) < digitsOf(other) ? -1 : 1))
  return sorted[Math.floor((sorted.length - 1) / 2)]
}

/** Undefined if the price may be used. Without anything to compare with, it may. */
export function doubtOf(price: string, { last, median, second }: KnownPrices): Doubt | undefined {
  if (second !== undefined && isFar(price, second, MOST_DIFFERENCE_PERCENT)) return 'differs'
  const isMoved = [last, median].some((from) => from !== undefined && isFar(price, from, MOST_MOVE_PERCENT))
  return isMoved ? 'moved' : undefined
}
