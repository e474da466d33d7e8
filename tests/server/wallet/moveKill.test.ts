/** A web process is killed while many customers move amounts in shared statements: nothing that was acknowledged is lost, nothing is booked twice. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { customerAccount, house, post } from '#lib/server/ledger/index.ts'
import { openPostgres } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'
import { signUpAt } from '#support/visitor.ts'

const KILLS = 6
const CUSTOMERS = 8
const IN_FLIGHT = 24
let test: TestApp
let DATABASE_URL = ''
let web: ServerProcess | undefined
const holders: { token: string; userId: string }[] = []

const start = () => startServer({ DATABASE_URL, ROLE: 'web' })

beforeAll(async () => {
  DATABASE_URL = await freshDatabase(inject('postgresUrl'))
  const connection = await openPostgres(DATABASE_URL, { poolSize: 4, onLost: () => undefined })
  test = await createTestApp({ connection, clock: () => new Date() })
  const all = await startServer({ DATABASE_URL })
  for (let count = 0; count < CUSTOMERS; count += 1) {
    const { token } = await signUpAt(all.url)
    const { user_id: userId } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    holders.push({ token, userId })
    await post(connection.db, {
      reason: 'adjustment',
      source: { type: 'adjustment', id: 'test' },
      actor: { kind: 'system', id: 'test' },
      reference: randomUUID(),
      transfers: [{ source: house('chain'), destination: customerAccount(userId, 'spot'), currency: 'CPC', amount: 1_000_000n }],
      at: new Date()
    })
  }
  await all.stop()
})
afterAll(async () => {
  await web?.kill()
  await test.close()
})

type Asked = { holder: number; key: string; isAnswered: boolean }

async function move({ holder, key }: Asked): Promise<boolean> {
  const response = await fetch(`${web?.url}/v1/users/balance/transfer-from-spot-to-funding`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${holders[holder]?.token}`,
      'content-type': 'application/json',
      'idempotency-key': key
    },
    body: JSON.stringify({ currency: 'CPC', amount: '1' })
  }).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  return response?.status === 200 && answer !== undefined
}

it('whenever it is killed', { timeout: 120_000 }, async () => {
  const asked: Asked[] = []
  for (let round = 0; round < KILLS; round += 1) {
    web = await start()
    let isKilled = false
    const from = asked.length
    const load = Array.from({ length: IN_FLIGHT }, async () => {
      while (!isKilled) {
        const one = { holder: Math.floor(Math.random() * CUSTOMERS), key: randomUUID(), isAnswered: false }
        asked.push(one)
        one.isAnswered = await move(one)
      }
    })
    // Whatever the machine's speed, some moves were answered, and others are under way.
    await expect
      .poll(() => asked.slice(from).filter(({ isAnswered }) => isAnswered).length, { timeout: 20_000, interval: 20 })
      .toBeGreaterThan(2 * IN_FLIGHT)
    await new Promise((resume) => setTimeout(resume, Math.random() * 100))
    await web.kill()
    isKilled = true
    await Promise.all(load)
  }
  web = await start()
  const open = asked.filter(({ isAnswered }) => !isAnswered)
  expect(open.length).toBeGreaterThan(0)
  expect(asked.length - open.length).toBeGreaterThan(IN_FLIGHT)
  // Asked again with its key, each is decided the same way; those that were answered are not booked again.
  for (const one of [...open, ...asked.slice(0, 50)]) expect(await move(one)).toBe(true)
  for (const [index, { token }] of holders.entries()) {
    const response = await fetch(`${web.url}/v1/users/balance`, { headers: { authorization: `Bearer ${token}` } })
    const { data } = await response.json()
    const moved = asked.filter(({ holder }) => holder === index).length
    expect(data.CPC.wallet.fundingBalance.total).toBe(String(moved))
  }
  expect((await test.verifyLedger()).problems).toEqual([])
})
