/** The value of a customer's tokens, day by day. */
import { valueInCents } from '../rates/prices.ts'

export const RANGES = ['1W', '1M', '1Y', 'All'] as const
export type Range = (typeof RANGES)[number]

export const isRange = (text: string): text is Range => RANGES.some((one) => one === text)

/** The value at the end of a UTC day (yyyy-mm-dd), in cents. */
export type ValuePoint = { day: string; cents: bigint }

/** Smallest units by token, and the price of one by token. */
type Day = { day: string; units: Record<string, bigint>; prices: Record<string, string> }

/**
 * The value of each day: the sum of every token's units times its price, each rounded down. A day that lacks the price of a
 * held token is left out, because its value would be too low.
 */
export function valuePoints(days: Day[]): ValuePoint[] {
  return days.flatMap(({ day, units, prices }) => {
    const held = Object.entries(units).filter(([, amount]) => amount > 0n)
    if (held.some(([code]) => prices[code] === undefined)) return []
    return { day, cents: held.reduce((sum, [code, amount]) => sum + valueInCents(amount, code, prices[code] ?? '0'), 0n) }
  })
}
