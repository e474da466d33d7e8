/**
 * Limits how much a customer may trade away from the reference price in a day. Without it, an intruder in their account could hand over
 * all of their funds at bad prices, past the limit of withdrawals.
 */
import { sql } from 'drizzle-orm'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { AppError } from '../platform/errors.ts'
import { dollars } from '../withdrawals/index.ts'

const CENT_DIGITS = 2

/** In smallest units of the settlement currency. */
export function dayLimit(dayCents: bigint): bigint {
  return dayCents * powerOfTen(decimalsOf(P2P_SETTLEMENT) - CENT_DIGITS)
}

/** The amount that counts towards the limit, in smallest units of the settlement currency, as a column of another query. */
export const awaySql = (userId: string, now: Date) =>
  sql<string>`p2p_away(${userId}::uuid, ${now.toISOString()}::timestamptz)::text`

/** While the whitelist is on, a customer may trade away this part of what others may: `p2p_judge` has the same. */
const LISTED_PART = 20n
export const centsOfDay = (dayCents: bigint, { isOn }: { isOn: boolean }) => (isOn ? dayCents / LISTED_PART : dayCents)

export const tooFarAway = (dayCents: bigint) => new AppError('p2p_limit', { params: { limit: dollars(dayCents) } })

/** Throws `p2p_limit`. `away`: the result of `awaySql`, read under the lock of the customer's row. */
export function requireNearEnough(dayCents: bigint, { away, difference }: { away: string; difference: bigint }): void {
  if (BigInt(away) + difference > dayLimit(dayCents)) throw tooFarAway(dayCents)
}
