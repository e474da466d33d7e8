import { and, eq, isNull } from 'drizzle-orm'
import { maturesAt } from '#lib/domain/orders/term.ts'
import { bonusScheduleOf, scheduleOf } from '#lib/domain/staking/schedule.ts'
import { customerAccount, house } from '../ledger/index.ts'
import type { OnOrderCompleted, OrderRow } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { payouts, stakes } from './schema.ts'

/**
 * Stores the stake of a completed order, and its payouts; the order itself books its tokens. A bonus is booked here, with the order, as
 * locked, and its releases are stored.
 */
export const stakeOnCompletion: OnOrderCompleted = async (_, { tx }, order) => {
  const { stakeStartsAt, stakingMonths } = order
  if (!stakeStartsAt) return []
  if (stakingMonths > 0) {
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
  return order.bonusUnits > 0n ? lockBonus(tx, order, stakeStartsAt) : []
}

async function lockBonus(tx: Executor, { id: orderId, userId, bonusUnits }: OrderRow, startsAt: Date) {
  const currency = 'PTC'
  const releases = bonusScheduleOf(bonusUnits, startsAt)
  await tx.insert(payouts).values(releases.map((payout) => ({ orderId, userId, currency, ...payout })))
  return [{ source: house('treasury'), destination: customerAccount(userId, 'locked'), currency, amount: bonusUnits }]
}

type Stake = typeof stakes.$inferSelect

/** The statement that stores the payouts of a stake. */
function insertionOf(db: Executor, stake: Stake) {
  const { orderId, userId, currency } = stake
  return db.insert(payouts).values(scheduleOf(stake).map((payout) => ({ orderId, userId, currency, ...payout })))
}

/**
 * Stores the payouts of stakes that have none. While a new version is started, a process of an older one, which knows no payouts, may
 * still complete orders.
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
