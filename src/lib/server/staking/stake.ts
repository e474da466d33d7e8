import { maturesAt } from '#lib/domain/orders/term.ts'
import type { OnOrderCompleted } from '../orders/index.ts'
import { stakes } from './schema.ts'

/** Locks the stake of a completed order until its term ends. The order itself books the tokens. */
export const stakeOnCompletion: OnOrderCompleted = async (_, { tx }, order) => {
  const { stakeStartsAt, stakingMonths } = order
  if (stakeStartsAt) {
    await tx.insert(stakes).values({
      orderId: order.id,
      userId: order.userId,
      currency: order.cpcUnits > 0n ? 'CPC' : 'PTC',
      units: order.cpcUnits + order.ptcUnits,
      months: stakingMonths,
      rateHundredths: order.stakingRateHundredths,
      startsAt: stakeStartsAt,
      endsAt: maturesAt(stakeStartsAt, stakingMonths)
    })
  }
  return []
}
