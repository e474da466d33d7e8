/**
 * What a customer may trade away from the reference price in a day. Without it, somebody else in their account could hand all of
 * their funds over by bad prices, past the limit of withdrawals.
 */
import { sql } from 'drizzle-orm'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { powerOfTen } from '#lib/domain/money/decimal.ts'
import { P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { AppError } from '../platform/errors.ts'
import { dollars } from '../withdrawals/index.ts'
import { p2pOrders, p2pTrades } from './schema.ts'

const DAY_MS = 24 * 3_600_000
const CENT_DIGITS = 2

/**
 * What a customer has traded away from the reference in 24 hours, on both sides, and what their open orders may still come to: in
 * smallest units of the settlement currency, as a part of another question.
 */
export function awaySql(userId: string, now: Date) {
  const since = new Date(now.getTime() - DAY_MS).toISOString()
  return sql<string>`(
    coalesce((select sum(t.difference) from ${p2pTrades} t where t.maker_id = ${userId} and t.traded_at > ${since}::timestamptz), 0)
    + coalesce((select sum(t.difference) from ${p2pTrades} t where t.taker_id = ${userId} and t.traded_at > ${since}::timestamptz), 0)
    + coalesce((select ceil(sum(o.difference * (o.listed_amount - o.filled_amount) / o.listed_amount))
        from ${p2pOrders} o where o.maker_id = ${userId} and o.status = 'PENDING'), 0))::text`
}

/** Throws `p2p_limit`. `away`: what `awaySql` found under the lock of the customer's row. */
export function requireNearEnough(dayCents: bigint, { away, difference }: { away: string; difference: bigint }): void {
  const limit = dayCents * powerOfTen(decimalsOf(P2P_SETTLEMENT) - CENT_DIGITS)
  if (BigInt(away) + difference > limit) throw new AppError('p2p_limit', { params: { limit: dollars(dayCents) } })
}
