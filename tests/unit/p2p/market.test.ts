import { expect, it } from 'vitest'
import { tradesToday, versionOf } from '#lib/domain/p2p/market.ts'

const day = (on: string, trades: number) => ({ day: on, price: '0.05', assetAmount: '1', trades })
const trade = (at: string) => ({ at, price: '0.05', assetAmount: '1' })

it('is newer by its day, its last trade, and the number of them', () => {
  const markets = [
    { today: '2026-11-09', days: [], last: [] },
    { today: '2026-11-09', days: [day('2026-11-09', 1)], last: [trade('2026-11-09T08:00:00.001Z')] },
    { today: '2026-11-09', days: [day('2026-11-09', 9)], last: [trade('2026-11-09T10:00:00.000Z')] },
    { today: '2026-11-09', days: [day('2026-11-09', 10)], last: [trade('2026-11-09T10:00:00.000Z')] },
    { today: '2026-11-10', days: [day('2026-11-09', 10)], last: [trade('2026-11-09T10:00:00.000Z')] }
  ]
  const versions = markets.map(versionOf)
  expect(versions.toSorted()).toEqual(versions)
  expect(new Set(versions).size).toBe(versions.length)
})

it('has the trades of its own day only', () => {
  const days = [day('2026-11-09', 3), day('2026-11-10', 4)]
  expect(tradesToday({ today: '2026-11-10', days, last: [] })?.trades).toBe(4)
  expect(tradesToday({ today: '2026-11-11', days, last: [] })).toBeUndefined()
})
