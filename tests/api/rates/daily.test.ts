/** The figures of days that are over. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { dailyFigures, recentFigures } from '#lib/server/rates/index.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await test?.close()
})

const DAY = '2026-02-03'
const keep = (currency: string, price: string) =>
  test.app.context.db.execute(sql`
    insert into daily_prices (currency, day, price_usd, source, quoted_at) values (${currency}, ${DAY}::date, ${price}, 'test', now())`)

it('that is asked for by every page is kept for a minute, so that a price that is confirmed later is seen', async () => {
  const { db } = test.app.context
  await keep('BTC', '100')
  expect((await recentFigures(db, DAY)).prices).toEqual({ BTC: '100' })
  await keep('CPC', '2')
  // Whatever is written down for good reads them anew.
  expect((await dailyFigures(db, [DAY])).get(DAY)?.prices).toEqual({ BTC: '100', CPC: '2' })
  expect((await recentFigures(db, DAY)).prices).toEqual({ BTC: '100' })
  expect((await recentFigures(db, '2026-02-02')).prices).toEqual({})
  await recentFigures(db, DAY)
  await keep('ETH', '3')
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + 60_001)
  expect((await recentFigures(db, DAY)).prices).toEqual({ BTC: '100', CPC: '2', ETH: '3' })
})
