/** How often a call asks the database: one statement more fails here, and needs a reason. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { customerAccount, house } from '#lib/server/ledger/index.ts'
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
const move = (path: string) => () =>
  test.send('POST', `/users/balance/${path}`, {
    token: customer.token,
    body: { currency: 'CPC', amount: '1' },
    headers: { 'idempotency-key': randomUUID() }
  })

it.skipIf(!isPostgres).each([
  ['a move from spot to funding', move('transfer-from-spot-to-funding'), 3],
  ['a move from funding to spot', move('transfer-from-funding-to-spot'), 3],
  ['balances', get('/users/balance'), 3],
  ['profile', get('/users/profile'), 5],
  ['statement', get('/users/balance/statement?currency=CPC'), 2],
  ['activity', get('/users/activity'), 4],
  ['value line', get('/users/balance/history?range=1M'), 4],
  ['orders', get('/orders/combo'), 3],
  ['notices', get('/users/notices'), 3],
  ['staking', get('/orders/staking/summary'), 5]
])('%s', async (_, call, most) => {
  // Prepared and cached what can be.
  for (let count = 0; count < 3; count += 1) expect((await call()).status).toBe(200)
  asked = []
  await call()
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(most)
})
