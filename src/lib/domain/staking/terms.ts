/** Staking terms. Rewards are non-compounding and paid quarterly (spec section 9). */
import { divide } from '../money/decimal.ts'
import { ORDER_STATUS } from '../orders/order.ts'
import { isBonusPackage } from '../orders/packages.ts'

const HUNDREDTHS_OF_PERCENT = 10_000n
const MONTHS_A_YEAR = 12n
const MONTHS_A_QUARTER = 3n

export const STAKE_STATUSES = ['pending', 'processing', 'completed'] as const
export type StakeStatus = (typeof STAKE_STATUSES)[number]
export const STAKE_SORTS = ['date', 'amount'] as const
export type StakeSort = (typeof STAKE_SORTS)[number]

type StakedOrder = { status: number; stakingMonth: number; comboConfigId: number }

/** True if the order counts in the staking total: staked, completed and not of the promotion (spec section 4). */
export function countsAsStaking(order: StakedOrder): boolean {
  return order.stakingMonth > 0 && order.status === ORDER_STATUS.completed && !isBonusPackage(order.comboConfigId)
}

/** The reward of the whole term in the token's smallest units, rounded down; not compounding. */
export function rewardOfTerm(amount: bigint, rateHundredths: number, months: number): bigint {
  return divide(amount * BigInt(rateHundredths) * BigInt(months), HUNDREDTHS_OF_PERCENT * MONTHS_A_YEAR, 'down')
}

/** The reward of each quarter; the last one gets the rounding remainder, so that they add up to the reward of the term. */
export function quarterlyRewards(amount: bigint, rateHundredths: number, months: number): bigint[] {
  const quarters = BigInt(months) / MONTHS_A_QUARTER
  if (quarters === 0n) return []
  const total = rewardOfTerm(amount, rateHundredths, months)
  const each = total / quarters
  return Array.from({ length: Number(quarters) }, (_, index) =>
    index === Number(quarters) - 1 ? total - each * (quarters - 1n) : each
  )
}
