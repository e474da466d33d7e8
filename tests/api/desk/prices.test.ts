/** A price in doubt, called right by two persons of finance, and carried out by the worker. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmPriceJob } from '#lib/server/desk/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { deskOf, type Member } from '#support/desk.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const why = 'Compared with a third source'
let test: TestApp
let finn: Member
let fred: Member
beforeAll(async () => {
  test = await createTestApp()
  const desk = deskOf(test)
  const admins = await desk.admins()
  finn = await desk.member(admins, 'Finn', ['finance'])
  fred = await desk.member(admins, 'Fred', ['finance'])
  await test.app.context.db.execute(
    sql`insert into accepted_prices (currency, price_usd, source, quoted_at) values ('BTC', '90000', 'x', now())
      on conflict (currency) do update set price_usd = '90000'`
  )
  await test.app.context.db.execute(
    sql`insert into price_doubts (currency, reason, price_usd, used_usd, found_at) values ('BTC', 'moved', '140000', '90000', now())`
  )
})
afterAll(() => test.close())

const propose = (priceUsd: string) => finn.call('proposePrice', { params: { currency: 'BTC' }, body: { priceUsd, why } })
const used = async () =>
  rowsOf<{ price_usd: string }>(
    await test.app.context.db.execute(sql`select price_usd from accepted_prices where currency = 'BTC'`)
  )[0]?.price_usd
const job = (payload: object) => confirmPriceJob(test.app.context).run(payload, { id: 1n, createdAt: new Date() })

it('is used once two have agreed, and not by one of them, or another price', async () => {
  expect((await propose('1')).body.code).toBe('price_not_doubted')
  const { proposalId } = (await propose('140000')).body.data
  expect(await used()).toBe('90000')
  // Written by somebody who has the desk's password, with one name, or one that is nobody's.
  for (const proposer of [finn.id, '00000000-0000-4000-8000-000000000001'])
    await job({ currency: 'BTC', priceUsd: '140000', proposer, by: finn.id, why })
  expect(await used()).toBe('90000')
  expect((await fred.call('approveProposal', { params: { id: proposalId }, body: { why } })).status).toBe(200)
  await expect.poll(used).toBe('140000')
  expect((await finn.call('getHouse')).body.data.doubts).toEqual([])
})
