/**
 * The payouts of a stake. Rewards are paid each quarter, counted from the day on which the payment was booked; the staked tokens are
 * returned at the end of the term; a bonus is released in twenty parts. Amounts in the token's smallest units, times at the start of a
 * UTC day.
 * Source: spec section 9; docs/decisions/0027-staking.md.
 */
import { BONUS_MONTHS, maturesAt } from '../orders/term.ts'
import { quarterlyRewards } from './terms.ts'

export const PAYOUT_KINDS = ['reward', 'principal', 'bonus'] as const
export type PayoutKind = (typeof PAYOUT_KINDS)[number]

/** `number` counts from 1 within its kind. */
export type Payout = { kind: PayoutKind; number: number; units: bigint; dueAt: Date }

type Stake = { units: bigint; rateHundredths: number; months: number; startsAt: Date }

const MONTHS_A_QUARTER = 3

/** The rewards, and at the end the staked tokens. Payouts of zero are left out. */
export function scheduleOf({ units, rateHundredths, months, startsAt }: Stake): Payout[] {
  const rewards = quarterlyRewards(units, rateHundredths, months).map((reward, index) => ({
    kind: 'reward' as const,
    number: index + 1,
    units: reward,
    dueAt: maturesAt(startsAt, MONTHS_A_QUARTER * (index + 1))
  }))
  const principal = { kind: 'principal' as const, number: 1, units, dueAt: maturesAt(startsAt, months) }
  return [...rewards, principal].filter((payout) => payout.units > 0n)
}

const BONUS_PARTS = BONUS_MONTHS.last - BONUS_MONTHS.first + 1

/** A bonus: locked for twelve months, then 5 % of it per month, rounded down; the last part takes the rest. */
export function bonusScheduleOf(units: bigint, startsAt: Date): Payout[] {
  const each = units / BigInt(BONUS_PARTS)
  return Array.from({ length: BONUS_PARTS }, (_, index) => ({
    kind: 'bonus' as const,
    number: index + 1,
    units: index === BONUS_PARTS - 1 ? units - each * BigInt(BONUS_PARTS - 1) : each,
    dueAt: maturesAt(startsAt, BONUS_MONTHS.first + index)
  })).filter((payout) => payout.units > 0n)
}
