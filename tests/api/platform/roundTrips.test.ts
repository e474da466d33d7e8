/** How often a call asks the database: one statement more fails here, and needs a reason. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balancesAt, customerAccount, house } from '#lib/server/ledger/index.ts'
import { packagePrices } from '#lib/server/orders/index.ts'
import { takenBackOf } from '#lib/server/payments/index.ts'
import type { Executor } from '#lib/server/platform/db/client.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

const isPostgres = process.env.ENGINE === 'postgres'
let test: TestApp
let customer: Customer
let asked: string[] = []
const query = pg.Client.prototype.query

beforeAll(async () => {
  // Before the first connection opens.
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [config] = args
    asked.push(typeof config === 'string' ? config : String((config as { text?: string } | undefined)?.text))
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof query
  test = await createTestApp({ env: { ROLE: 'web', LIMIT_SCALE: '1000' } })
  customer = await test.customer()
  await test.adjust(
    (['spot', 'funding'] as const).map((kind) => ({
      source: house('treasury'),
      destination: customerAccount(customer.userId, kind),
      currency: 'CPC',
      amount: 10n ** 12n
    }))
  )
})
afterAll(async () => {
  pg.Client.prototype.query = query
  await test?.close()
})

const get = (path: string) => () => test.send('GET', path, { token: customer.token })
const named = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)
const move = (path: string) => () =>
  test.send('POST', `/users/balance/${path}`, {
    token: customer.token,
    body: { currency: 'CPC', amount: '1' },
    headers: { 'idempotency-key': randomUUID() }
  })

it.skipIf(!isPostgres).each([
  ['a move from spot to funding', move('transfer-from-spot-to-funding'), 3],
  ['a move from funding to spot', move('transfer-from-funding-to-spot'), 3],
  ['balances', get('/users/balance'), 2],
  ['profile', get('/users/profile'), 2],
  ['statement', get('/users/balance/statement?currency=CPC'), 2],
  ['activity', get('/users/activity'), 3],
  ['value line', get('/users/balance/history?range=1M'), 4],
  ['orders', get('/orders/combo'), 2],
  ['notices', get('/users/notices'), 3],
  ['staking', get('/orders/staking/summary'), 2]
])('%s', async (_, call, most) => {
  // Prepared and cached what can be.
  for (let count = 0; count < 3; count += 1) expect((await call()).status).toBe(200)
  asked = []
  await call()
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(most)
})

it.skipIf(!isPostgres)('a refused move keeps its connection, and its key is free for the next try', async () => {
  const body = (amount: string) => ({ currency: 'CPC', amount })
  const headers = { 'idempotency-key': randomUUID() }
  const send = (amount: string) =>
    test.send('POST', '/users/balance/transfer-from-spot-to-funding', { token: customer.token, body: body(amount), headers })
  await send('999999999999999999')
  asked = []
  const opened: number[] = []
  const connect = pg.Client.prototype.connect
  pg.Client.prototype.connect = function (this: pg.Client, ...args: unknown[]) {
    opened.push(1)
    return (connect as (...args: unknown[]) => unknown).apply(this, args)
  } as typeof connect
  for (let count = 0; count < 5; count += 1) expect((await send('999999999999999999')).body.code).toBe('insufficient_spot')
  pg.Client.prototype.connect = connect
  expect(opened).toEqual([])
  // Nothing was kept: another amount under the same key is no other request.
  expect((await send('7')).status).toBe(200)
  expect((await send('7')).status).toBe(200)
  expect((await send('8')).body.code).toBe('idempotency_key_reused')
})

/** Each customer has another number of them: a statement for each number would be planned, named and combined anew. */
it.skipIf(!isPostgres).each<[string, (db: Executor, count: number) => Promise<unknown>]>([
  ['balances at the end of days', (db, count) => balancesAt(db, customer.userId, named('2026-10-1', count))],
  ['prices of packages', (db, count) => packagePrices(db, named('order-', count))],
  ['payments that were taken back', (db, count) => takenBackOf(db, named('order-', count))]
])('%s are the same statement for any number of days or orders', async (_, ask) => {
  asked = []
  for (const count of [1, 2, 7]) await ask(test.app.context.db, count)
  expect(asked).toHaveLength(3)
  expect(new Set(asked).size, asked.join('\n')).toBe(1)
})
