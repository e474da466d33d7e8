/** The fund that staking rewards are paid from, and what it will have to pay. */
import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { house, post, withStock } from '../ledger/index.ts'
import type { Actor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { payouts } from './schema.ts'

type Filling = {
  currency: string
  /** Smallest units. */
  units: bigint
  /** The idempotency key, e.g. the number of the board's decision. */
  reference: string
  actor: Actor
}

/** Books from the treasury into the fund. Throws AlreadyBookedError for a reference that was used before. */
export function fillFund(context: Context, { currency, units, reference, actor }: Filling): Promise<bigint> {
  return transact(context, async ({ tx, now }) =>
    post(tx, {
      reason: 'fund_filled',
      source: { type: 'adjustment', id: reference },
      reference: `fund:${reference}`,
      actor,
      transfers: await withStock(tx, [
        { source: house('treasury'), destination: house('staking_rewards'), currency, amount: units }
      ]),
      at: now
    })
  )
}

/** The rewards of each currency that are due by a moment and not paid yet. */
export async function rewardsDueBy(
  { db }: Context,
  moment: Date
): Promise<{ currency: string; units: bigint; payouts: number }[]> {
  const rows = await db
    .select({ currency: payouts.currency, units: sql<string>`sum(${payouts.units})::text`, payouts: sql<number>`count(*)::int` })
    .from(payouts)
    .where(and(eq(payouts.kind, 'reward'), isNull(payouts.paidAt), isNull(payouts.cancelledAt), lte(payouts.dueAt, moment)))
    .groupBy(payouts.currency)
    .orderBy(asc(payouts.currency))
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}
