/** The trades beside the book, day by day. The trades here have no bookings. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '#lib/contract/types.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

it('counts a trade of yesterday that is committed after midnight, and reads days that are over once', async () => {
  const { clock, db } = test.app.context
  const p2p = p2pOf(test)
  const [seller, buyer] = [await test.customer(), await test.customer()]
  const days = async () => {
    const market: Answer<'getP2pMarket'> = await test.ask(buyer, 'getP2pMarket')
    return market.days.map(({ day, trades }) => [day, trades])
  }
  const traded = (at: Date) =>
    db.execute(sql`insert into p2p_trades (id, order_id, maker_id, taker_id, amount, gross, fee, difference, traded_at)
      select gen_random_uuid(), order_id, maker_id, taker_id, amount, gross, fee, difference, ${at.toISOString()}::timestamptz
      from p2p_trades limit 1`)
  await p2p.fund(seller, 'CPC', 100n * COIN)
  await p2p.fund(buyer, 'USDC', 10n * DOLLAR)
  await p2p.fill(buyer, await p2p.listed(seller, { amount: 100n * COIN }))
  const secondsToday = (clock().getTime() % 86_400_000) / 1000
  // Half a minute after midnight.
  test.pass(2 * 86_400 - secondsToday + 30)
  const midnight = Math.floor(clock().getTime() / 86_400_000) * 86_400_000
  const [yesterday, today] = [midnight - 1000, midnight].map((ms) => new Date(ms).toISOString().slice(0, 10))
  const before = await days()
  await traded(new Date(midnight - 1000))
  // The sums of days that are over are kept for a minute.
  expect(await days()).toEqual(before)
  test.pass(61)
  expect(await days()).toEqual([...before, [yesterday, 1]])
  // Half an hour later: its commit waited for a standby.
  test.pass(1800)
  await traded(new Date(midnight - 1000))
  expect(await days()).toEqual([...before, [yesterday, 2]])
  // From one o'clock on they are final.
  test.pass(3600)
  expect(await days()).toEqual([...before, [yesterday, 2]])
  await traded(new Date(midnight - 1000))
  await traded(new Date(midnight + 1000))
  test.pass(3600)
  expect(await days()).toEqual([...before, [yesterday, 2], [today, 1]])
  // Thirty days, and today.
  test.pass(31 * 86_400)
  expect(await days()).toEqual([])
})
