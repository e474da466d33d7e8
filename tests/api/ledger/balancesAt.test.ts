/** What a customer had at the end of a day, asked again and again while days end. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balancesAt, customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const gift = (userId: string, at: string) =>
  post(test.app.context.db, {
    reason: 'adjustment',
    source: { type: 'adjustment', id: 'test' },
    actor: { kind: 'system', id: 'test' },
    reference: randomUUID(),
    transfers: [{ source: house('treasury'), destination: customerAccount(userId, 'spot'), currency: 'CPC', amount: 1n }],
    at: new Date(at)
  })

it('a day that is over keeps its last booking, and the day before it ends does not', async () => {
  const { userId } = await test.customer()
  const other = await test.customer()
  const days = ['2026-03-01', '2026-03-02', '2026-03-03']
  const at = async (of = userId) => {
    const found = await balancesAt(test.app.context.db, of, days)
    return days.map((day) => Number(found.get(day)?.CPC ?? 0n))
  }
  await gift(userId, '2026-03-01T23:59:59Z')
  expect(await at()).toEqual([1, 1, 1])
  await gift(userId, '2026-03-02T00:30:00Z')
  expect(await at()).toEqual([1, 2, 2])
  await gift(userId, '2026-03-02T01:00:01Z')
  // An hour after the first day its last booking is kept.
  expect(await at()).toEqual([1, 3, 3])
  expect(await at()).toEqual([1, 3, 3])
  await gift(userId, '2026-03-02T12:00:00Z')
  await gift(other.userId, '2026-03-03T05:00:00Z')
  // Asked by one, kept for all.
  for (const [of, expected] of [
    [other.userId, [0, 0, 1]],
    [userId, [1, 4, 4]],
    [other.userId, [0, 0, 1]],
    [userId, [1, 4, 4]]
  ] as const)
    expect(await at(of)).toEqual(expected)
})
