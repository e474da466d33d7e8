/** What was paid for what a customer has: first in, first out; what is taken back takes from its own entry. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { averagePrice, costOf, type Entry, FINE, ORIGINS, priceSourceOf } from '#lib/domain/wallet/cost.ts'

const bought = (lot: string, units: bigint, paid: bigint, fee = 0n): Entry => ({
  lot,
  units,
  origin: 'bought',
  paid: paid * FINE,
  fee: fee * FINE
})
const NOTHING = { bought: 0n, paid: 0n, fees: 0n, reward: 0n, unpriced: 0n, unpaid: 0n }

describe('what was paid', () => {
  it('takes what goes out from what came in first', () => {
    const entries = [bought('a', 100n, 1000n, 40n), bought('b', 100n, 3000n, 120n), { lot: 'w', units: -150n }]
    expect(costOf(entries)).toEqual({ ...NOTHING, bought: 50n, paid: 1500n, fees: 60n })
  })

  it('counts rewards as nothing, in their place in time', () => {
    const entries: Entry[] = [{ lot: 'r', units: 10n, origin: 'reward' }, bought('a', 10n, 500n), { lot: 'w', units: -15n }]
    expect(costOf(entries)).toEqual({ ...NOTHING, bought: 5n, paid: 250n })
  })

  it('takes a deposit that was reversed from its own entry, and what it does not have from the oldest', () => {
    const entries: Entry[] = [bought('a', 100n, 1000n), bought('d', 50n, 5000n), { lot: 'd', units: -50n, takesBack: 'lot' }]
    expect(costOf(entries)).toEqual({ ...NOTHING, bought: 100n, paid: 1000n })
    expect(costOf([...entries, { lot: 'd', units: -50n, takesBack: 'lot' }])).toEqual({ ...NOTHING, bought: 50n, paid: 500n })
  })

  it('keeps what was never paid out of what was bought, and a correction takes it first', () => {
    const entries: Entry[] = [bought('a', 100n, 1000n), { lot: 'b', units: 30n, origin: 'unpaid' }]
    expect(costOf(entries)).toEqual({ ...NOTHING, bought: 100n, paid: 1000n, unpaid: 30n })
    expect(costOf([...entries, { lot: 'x', units: -40n, takesBack: 'unpaid' }])).toEqual({
      ...NOTHING,
      bought: 90n,
      paid: 900n
    })
  })

  it('is nothing where nothing is left, also where more went out than came in', () => {
    expect(costOf([bought('a', 10n, 7n), { lot: 'w', units: -10n }])).toEqual(NOTHING)
    expect(costOf([{ lot: 'w', units: -10n }, bought('a', 10n, 7n)])).toEqual({ ...NOTHING, bought: 10n, paid: 7n })
  })

  it('holds for any history what a queue of single units holds', () => {
    const step = fc.oneof(
      fc.record({
        units: fc.bigInt(1n, 40n),
        price: fc.bigInt(0n, 50n),
        origin: fc.constantFrom(...ORIGINS)
      }),
      fc.record({ out: fc.bigInt(1n, 60n) })
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const queue: { origin: string; price: bigint }[] = []
        const entries: Entry[] = []
        for (const [index, one] of steps.entries()) {
          if ('out' in one) {
            const units = one.out < BigInt(queue.length) ? one.out : BigInt(queue.length)
            queue.splice(0, Number(units))
            if (units > 0n) entries.push({ lot: `${index}`, units: -units })
          } else {
            const { origin, price, units } = one
            entries.push({ lot: `${index}`, units, origin, ...(origin === 'bought' && { paid: units * price * FINE }) })
            for (let count = 0n; count < units; count += 1n) queue.push({ origin, price })
          }
        }
        const cost = costOf(entries)
        for (const origin of ORIGINS) expect(cost[origin]).toBe(BigInt(queue.filter((one) => one.origin === origin).length))
        expect(cost.paid).toBe(queue.reduce((sum, { origin, price }) => (origin === 'bought' ? sum + price : sum), 0n))
      })
    )
  })

  it('loses less than a cent by a thousand small sales', () => {
    const sales = Array.from({ length: 999 }, (_, index) => ({ lot: `${index}`, units: -1n }))
    expect(costOf([bought('a', 1000n, 100_000n), ...sales]).paid).toBe(100n)
  })
})

describe('the average price', () => {
  it('is what was paid by what was bought', () => {
    // 8,500 USD for 13,611,111.11111110 PTC.
    expect(averagePrice({ bought: 13_611_111_11111110n, paid: 850_000n }, 'PTC')).toBe('0.0006244898')
    expect(averagePrice({ bought: 0n, paid: 0n }, 'PTC')).toBeUndefined()
  })
})

describe('where a price is found', () => {
  it.each([
    [{ reason: 'order_completed', account: 'staked', counterpart: 'treasury' }, 'order'],
    [{ reason: 'order_completed', account: 'locked', counterpart: 'treasury' }, 'reward'],
    [{ reason: 'order_completed', account: 'reward', counterpart: 'rewards' }, 'reward'],
    [{ reason: 'staking_rewarded', account: 'reward', counterpart: 'staking_rewards' }, 'reward'],
    [{ reason: 'p2p_traded', account: 'funding', counterpart: 'frozen' }, 'trade'],
    [{ reason: 'deposit_credited', account: 'spot', counterpart: 'suspense' }, 'day'],
    [{ reason: 'suspense_decided', account: 'spot', counterpart: 'suspense' }, 'day'],
    [{ reason: 'adjustment', account: 'spot', counterpart: 'treasury' }, 'none']
  ] as const)('%j: %s', (movement, expected) => {
    expect(priceSourceOf(movement)).toBe(expected)
  })
})
