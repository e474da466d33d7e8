/** A web process is killed while many customers buy from one order in shared statements: no purchase that was acknowledged is lost, none is made twice. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openPostgres, rowsOf } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { COIN, DOLLAR, p2pOf } from '#support/p2p.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

const KILLS = 4
const BUYERS = 16
let test: TestApp
let DATABASE_URL = ''
let web: ServerProcess | undefined
const tokens: string[] = []
let order = ''

const start = () => startServer({ DATABASE_URL, ROLE: 'web', LIMIT_SCALE: '1000', WITHDRAWAL_DAY_USD: '1000000000' })

beforeAll(async () => {
  DATABASE_URL = await freshDatabase(inject('postgresUrl'))
  const connection = await openPostgres(DATABASE_URL, { poolSize: 4, onLost: () => undefined })
  test = await createTestApp({ connection, clock: () => new Date() })
  const { fund, listed } = p2pOf(test)
  const seller = await test.customer()
  await fund(seller, 'CPC', 10_000_000n * COIN)
  order = await listed(seller, { amount: 10_000_000n * COIN })
  for (let made = 0; made < BUYERS; made += 1) {
    const buyer = await test.customer()
    await fund(buyer, 'USDC', 100_000n * DOLLAR, 'spot')
    tokens.push(buyer.token)
  }
})
afterAll(async () => {
  await web?.kill()
  await test.close()
})

type Asked = { buyer: number; key: string; id: string | undefined }

/** The id of the trade; undefined where no answer came. */
async function buy({ buyer, key }: Asked): Promise<string | undefined> {
  const response = await fetch(`${web?.url}/v1/p2p/order/${order}/fill`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens[buyer]}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ amount: String(10n * COIN) })
  }).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  return response?.status === 200 ? answer?.data.id : undefined
}

it('whenever it is killed', { timeout: 120_000 }, async () => {
  const asked: Asked[] = []
  for (let round = 0; round < KILLS; round += 1) {
    web = await start()
    let isKilled = false
    const from = asked.length
    const load = tokens.map(async (_, buyer) => {
      while (!isKilled) {
        const one: Asked = { buyer, key: randomUUID(), id: undefined }
        asked.push(one)
        one.id = await buy(one)
      }
    })
    // Whatever the machine's speed, each buyer's first purchase is made, and some that can share a statement.
    await expect
      .poll(() => asked.slice(from).filter(({ id }) => id !== undefined).length, { timeout: 20_000, interval: 20 })
      .toBeGreaterThan(4 * BUYERS)
    await new Promise((resume) => setTimeout(resume, Math.random() * 100))
    await web.kill()
    isKilled = true
    await Promise.all(load)
  }
  web = await start()
  const { db } = test.app.context
  const statements = rowsOf<{ trades: number }>(
    await db.execute(sql`select count(*)::integer as trades from p2p_trades where order_id = ${order} group by xmin`)
  )
  expect(Math.max(...statements.map(({ trades }) => trades))).toBeGreaterThan(3)
  const open = asked.filter(({ id }) => id === undefined)
  expect(open.length).toBeGreaterThan(0)
  expect(asked.length - open.length).toBeGreaterThan(BUYERS)
  // Asked again with its key, each is decided the same way; those that were answered get the same answer.
  for (const one of open) {
    one.id = await buy(one)
    expect(one.id).toBeDefined()
  }
  for (const one of asked.slice(0, 50)) expect(await buy(one)).toBe(one.id)
  const kept = rowsOf<{ id: string }>(await db.execute(sql`select id from p2p_trades where order_id = ${order} order by id`))
  expect(kept.map(({ id }) => id)).toEqual(asked.map(({ id }) => id).sort())
  expect((await test.verifyLedger()).problems).toEqual([])
})
