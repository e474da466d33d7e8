import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BONUS_MONTHS } from '#lib/domain/orders/term.ts'
import { bonusScheduleOf, scheduleOf } from '#lib/domain/staking/schedule.ts'
import { rewardOfTerm } from '#lib/domain/staking/terms.ts'

const day = (text: string) => new Date(`${text}T00:00:00.000Z`)
const days = (schedule: { dueAt: Date }[]) => schedule.map(({ dueAt }) => dueAt.toISOString().slice(0, 10))
const anyDay = fc
  .date({ min: day('2024-01-01'), max: day('2040-12-31'), noInvalidDate: true })
  .map((date) => day(date.toISOString().slice(0, 10)))
const months = fc.constantFrom(12, 24)

describe('a stake', () => {
  it('pays each quarter, and returns the tokens at the end', () => {
    const schedule = scheduleOf({ units: 12_500_000_000n, rateHundredths: 1800, months: 24, startsAt: day('2025-11-28') })
    expect(days(schedule)).toEqual([
      '2026-02-28',
      '2026-05-28',
      '2026-08-28',
      '2026-11-28',
      '2027-02-28',
      '2027-05-28',
      '2027-08-28',
      '2027-11-28',
      '2027-11-28'
    ])
    expect(schedule.map(({ kind, number, units }) => `${kind} ${number} ${units}`)).toEqual([
      ...Array.from({ length: 8 }, (_, index) => `reward ${index + 1} 562500000`),
      'principal 1 12500000000'
    ])
  })

  it('keeps the day of the month, or takes the last of a shorter one: a leap day too', () => {
    const from = (start: string) => days(scheduleOf({ units: 10n ** 9n, rateHundredths: 1200, months: 12, startsAt: day(start) }))
    expect(from('2027-11-30')).toEqual(['2028-02-29', '2028-05-30', '2028-08-30', '2028-11-30', '2028-11-30'])
    expect(from('2026-08-31')).toEqual(['2026-11-30', '2027-02-28', '2027-05-31', '2027-08-31', '2027-08-31'])
    expect(from('2028-02-29')).toEqual(['2028-05-29', '2028-08-29', '2028-11-29', '2029-02-28', '2029-02-28'])
  })

  it('pays to the unit what the term promises, in order, never before a quarter is over', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        fc.integer({ min: 0, max: 5000 }),
        months,
        anyDay,
        (units, rateHundredths, term, startsAt) => {
          const schedule = scheduleOf({ units, rateHundredths, months: term, startsAt })
          const rewards = schedule.filter(({ kind }) => kind === 'reward')
          expect(rewards.reduce((sum, payout) => sum + payout.units, 0n)).toBe(rewardOfTerm(units, rateHundredths, term))
          expect(schedule.filter(({ kind }) => kind === 'principal').map((payout) => payout.units)).toEqual([units])
          const moments = schedule.map(({ dueAt }) => dueAt.getTime())
          expect(moments).toEqual([...moments].sort((a, b) => a - b))
          for (const { dueAt } of schedule) {
            const passed = (dueAt.getTime() - startsAt.getTime()) / 86_400_000
            expect(passed).toBeGreaterThanOrEqual(89)
            expect(dueAt.getUTCDate() <= startsAt.getUTCDate()).toBe(true)
          }
          expect(schedule.every((payout) => payout.units > 0n)).toBe(true)
        }
      )
    )
  })
})

describe('a bonus', () => {
  it('is released in twenty parts from month 13 to month 32, never at month 12', () => {
    const schedule = bonusScheduleOf(1_000_007n, day('2025-05-31'))
    expect(schedule).toHaveLength(20)
    expect(days(schedule).at(0)).toBe('2026-06-30')
    expect(days(schedule)).not.toContain('2026-05-31')
    expect(days(schedule).at(-1)).toBe('2028-01-31')
    expect(schedule.slice(0, 19).every(({ units }) => units === 50_000n)).toBe(true)
    expect(schedule.at(-1)?.units).toBe(50_007n)
  })

  it('comes to the whole bonus to the unit, whatever it is and whenever it starts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 20n }), anyDay, (units, startsAt) => {
        const schedule = bonusScheduleOf(units, startsAt)
        expect(schedule.reduce((sum, payout) => sum + payout.units, 0n)).toBe(units)
        for (const { dueAt, number } of schedule) {
          const monthsPassed =
            (dueAt.getUTCFullYear() - startsAt.getUTCFullYear()) * 12 + dueAt.getUTCMonth() - startsAt.getUTCMonth()
          expect(monthsPassed).toBe(BONUS_MONTHS.first + number - 1)
        }
      })
    )
  })
})
