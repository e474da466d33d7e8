import { and, eq, isNull } from 'drizzle-orm'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { type Payout, scheduleOf } from '#lib/domain/staking/schedule.ts'
import type { OnOrderCompleted } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { payouts, stakes } from './schema.ts'

/** Locks the stake of a completed order until its term ends, and writes down what it pays. The order itself books the tokens. */
export const stakeOnCompletion: OnOrderCompleted = async (_, work, order) => {
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
    await work.tx.insert(stakes).values(stake)
    await planPayouts(work, stake, scheduleOf(stake))
  }
  return []
}

type Owner = { orderId: string; userId: string; currency: string }

/**
 * Writes down the payouts of stakes that have none: a process of the version before this table may have completed an order while the new
 * one was started.
 */
export async function planMissing(context: Context): Promise<void> {
  const missing = await context.db
    .select({ stake: stakes })
    .from(stakes)
    .leftJoin(payouts, and(eq(payouts.orderId, stakes.orderId), eq(payouts.kind, 'principal')))
    .where(isNull(payouts.orderId))
  for (const { stake } of missing) {
    await transact(context, (work) => planPayouts(work, stake, scheduleOf(stake)))
    context.log.warn({ order: stake.orderId }, 'a stake had no payouts; they are written down now')
  }
}

async function planPayouts({ tx }: Work, { orderId, userId, currency }: Owner, schedule: Payout[]): Promise<void> {
  if (schedule.length === 0) return
  await tx
    .insert(payouts)
    .values(schedule.map((payout) => ({ orderId, userId, currency, ...payout })))
    .onConflictDoNothing()
}
