/** Why a value changed: the terms, each computed from its own lines, add up to the change over random histories. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { addUpTo, CHANGE_TERMS, changeOf, type Flow, type PricesByDay, termOf } from '#lib/domain/wallet/change.ts'

const COIN = 100_000_000n
const DAYS = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06'] as const
const TOKENS = ['CPC', 'BTC', 'USDC'] as const

describe('the terms of a change', () => {
  it('are what was paid, prices, trades and rewards, each by its own lines', () => {
    const flows: Flow[] = [
      { day: '2026-01-02', currency: 'CPC', term: 'paid', units: 100n * COIN },
      { day: '2026-01-03', currency: 'CPC', term: 'rewards', units: 10n * COIN },
      { day: '2026-01-03', currency: 'CPC', term: 'trades', units: -20n * COIN }
    ]
    const known = [
      { day: '2026-01-01', prices: { CPC: '0.05' } },
      { day: '2026-01-02', prices: { CPC: '0.06' } },
      { day: '2026-01-03', prices: { CPC: '0.08' } },
      { day: '2026-01-04', prices: { CPC: '0.10' } }
    ]
    // Held: 1,000 at first, 1,100 from the 2nd, 1,090 from the 3rd.
    expect(changeOf({ CPC: 1000n * COIN }, flows, known)).toEqual({
      paid: 600n,
      rewards: 80n,
      trades: -160n,
      prices: 1000n + 2200n + 2180n
    })
  })

  it('take the last known price for a day without one, and the first known price for days before it', () => {
    const flows: Flow[] = [{ day: '2026-01-02', currency: 'BTC', term: 'paid', units: COIN }]
    const known: PricesByDay = [
      { day: '2026-01-01', prices: {} },
      { day: '2026-01-03', prices: { BTC: '100' } }
    ]
    expect(changeOf({}, flows, known)).toEqual({ paid: 10_000n, prices: 0n, trades: 0n, rewards: 0n })
  })

  it('add up to the change to the cent over random histories', () => {
    const flow = fc.record({
      day: fc.constantFrom(...DAYS),
      currency: fc.constantFrom(...TOKENS),
      term: fc.constantFrom(...CHANGE_TERMS),
      units: fc.bigInt(-500n * COIN, 10_000n * COIN)
    })
    const price = fc.bigInt(1n, 10n ** 12n).map((digits) => writeDecimal({ digits, scale: 7 }))
    const priced = fc.record({ CPC: price, BTC: price, USDC: price })
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 40 }), fc.array(priced, { minLength: 6, maxLength: 6 }), (flows, prices) => {
        const start: Record<string, bigint> = { CPC: 30_000n * COIN, BTC: 25_000n * COIN, USDC: 1_000_000n * COIN }
        const end = { ...start }
        for (const { currency, units } of flows) end[currency] = (end[currency] ?? 0n) + units
        const worth = (units: Record<string, bigint>, at: Record<string, string> | undefined) =>
          TOKENS.reduce((sum, token) => sum + valueInCents(units[token] ?? 0n, token, at?.[token] ?? '0'), 0n)
        const change = worth(end, prices[5]) - worth(start, prices[0])
        // What is held at the end of the first day is the start: its flows came before.
        const later = flows.map((one) => ({ ...one, day: one.day === DAYS[0] ? DAYS[1] : one.day }))
        const known = DAYS.map((day, index) => ({ day, prices: prices[index] ?? {} }))
        const terms = changeOf(start, later, known)
        const apart = terms.paid + terms.prices + terms.trades + terms.rewards
        expect(change - apart).toBeLessThanOrEqual(6n)
        expect(change - apart).toBeGreaterThanOrEqual(-6n)
        const shown = addUpTo(change, terms, TOKENS.length)
        expect(shown && shown.paid + shown.prices + shown.trades + shown.rewards).toBe(change)
        expect(shown).toMatchObject({ paid: terms.paid, trades: terms.trades, rewards: terms.rewards })
      })
    )
  })

  it('are not shown where more than rounding is missing', () => {
    expect(addUpTo(1000n, { paid: 900n, prices: 0n, trades: 0n, rewards: 0n }, 3)).toBeUndefined()
  })

  it.each([
    [{ reason: 'order_completed', account: 'staked', counterpart: 'treasury' }, 'paid'],
    [{ reason: 'order_completed', account: 'locked', counterpart: 'treasury' }, 'rewards'],
    [{ reason: 'order_completed', account: 'reward', counterpart: 'rewards' }, 'rewards'],
    [{ reason: 'staking_rewarded', account: 'reward', counterpart: 'staking_rewards' }, 'rewards'],
    [{ reason: 'reward_taken_back', account: 'reward', counterpart: 'rewards' }, 'rewards'],
    [{ reason: 'deposit_credited', account: 'spot', counterpart: 'treasury' }, 'paid'],
    [{ reason: 'withdrawal_confirmed', account: 'outgoing', counterpart: 'treasury' }, 'paid'],
    [{ reason: 'withdrawal_confirmed', account: 'outgoing', counterpart: 'fees' }, 'paid'],
    [{ reason: 'adjustment', account: 'locked', counterpart: 'treasury' }, 'rewards'],
    [{ reason: 'p2p_traded', account: 'funding', counterpart: 'frozen' }, 'trades'],
    [{ reason: 'p2p_traded', account: 'funding', counterpart: 'fees' }, 'trades'],
    [{ reason: 'adjustment', account: 'spot', counterpart: 'treasury' }, 'paid']
  ] as const)('%o is %s', (movement, term) => {
    expect(termOf(movement)).toBe(term)
  })
})
