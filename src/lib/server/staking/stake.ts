import { and, eq, isNull } from 'drizzle-orm'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { scheduleOf } from '#lib/domain/staking/schedule.ts'
import type { OnOrderCompleted } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { payouts, stakes } from './schema.ts'

/** Locks the stake of a completed order until its term ends, and writes down what it pays. The order itself books the tokens. */
export const stakeOnCompletion: OnOrderCompleted = async (_, { tx }, order) => {
  const { stakeStartsAt, stakingMonths } = order
  if (stakeStartsAt) {
    const stake = {
      orderId: order.id,
      userId: order.userId,
      currency: order.cpcUnits > 0n ? 'CPC' : 'PTC',
      units: order.cpcUnits + order.ptcUnits,
      months: stakingMonths,
      rateHundredths: order.stakingRateHundredths,
      startsAt: stakeStartsAt,
      endsAt: maturesAt(stakeStartsAt, stakingMonths)
    }
    await tx.insert(stakes).values(stake)
    await insertionOf(tx, stake)
  }
  return []
}

type Stake = typeof stakes.$inferSelect

/** The statement that writes down what a stake pays. */
function insertionOf(db: Executor, stake: Stake) {
  const { orderId, userId, currency } = stake
  return db.insert(payouts).values(scheduleOf(stake).map((payout) => ({ orderId, userId, currency, ...payout })))
}

/**
 * Writes down the payouts of stakes that have none. While a new version is started, a process of one that knows no payouts may still complete
 * orders.
 */
export async function planMissing({ db, log }: Context): Promise<void> {
  const missing = await db
    .select({ stake: stakes })
    .from(stakes)
    .leftJoin(payouts, and(eq(payouts.orderId, stakes.orderId), eq(payouts.kind, 'principal')))
    .where(isNull(payouts.orderId))
  for (const { stake } of missing) {
    // Another worker may have found it too.
    await insertionOf(db, stake).onConflictDoNothing()
    log.warn({ order: stake.orderId }, 'a stake had no payouts; they are written down now')
  }
}
