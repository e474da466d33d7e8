/** An upgrade without downtime: processes of the last release run while this one migrates, and both serve until the old ones stop. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, inject, it } from 'vitest'
import { ledgerChecks } from '#lib/server/app/features.ts'
import { verifyLedger } from '#lib/server/ledger/index.ts'
import { migratePostgres, openPostgres } from '#lib/server/platform/db/client.ts'
import { freshDatabase } from '#support/databases.ts'
import { checkOutLastRelease, LAST_RELEASE } from '#support/lastRelease.ts'
import { NODE_ENVIRONMENT } from '#support/nodeEnvironment.ts'
import { earlierMigrations } from '#support/oldDatabase.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt, type Visitor } from '#support/visitor.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const ROUNDS_AROUND = 15
const CUSTOMERS = 4
const PTC_1000 = 82

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(env: Record<string, string>, release = root): Promise<ServerProcess> {
  const server = await startServer(env, { root: release })
  cleanups.push(() => server.kill())
  return server
}

/** `npm run migrate`, as an operator runs it. */
function migrate(databaseUrl: string, release = root): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['run.mjs', 'migrate'], {
      cwd: release,
      env: { ...NODE_ENVIRONMENT, DATABASE_URL: databaseUrl }
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk
      })
    child.once('close', (code) => resolve({ code, said }))
  })
}

/** A customer's usual calls: a paid purchase, a transfer and back, a page. Returns a line for each failed call. */
async function liveThrough(url: string, { token, cookie }: Visitor): Promise<string[]> {
  const failed: string[] = []
  const note = async (what: string, response: Response) => {
    if (response.status >= 400) failed.push(`${what}: ${response.status} ${(await response.text()).slice(0, 200)}`)
    return response
  }
  const order = await note('order', await postJson(url, '/orders/combo', { comboConfigId: PTC_1000, bankAccountId: 1 }, token))
  const { id } = order.ok ? (await order.json()).data : { id: '' }
  const form = new URLSearchParams({ order: id, arrival: 'exact' })
  const paid = { method: 'POST', body: form, redirect: 'manual' as const, headers: { origin: url } }
  await note('payment', await fetch(`${url}/sandbox`, paid))
  for (const way of ['from-spot-to-funding', 'from-funding-to-spot'])
    await note(way, await postJson(url, `/users/balance/transfer-${way}`, { currency: 'PTC', amount: '1000' }, token))
  await note('dashboard', await fetch(`${url}/dashboard`, { headers: { cookie }, redirect: 'error' }))
  return failed
}

it(`lets the processes of ${LAST_RELEASE} serve without an error while it migrates, and beside its own`, {
  timeout: 900_000
}, async (context) => {
  const last = checkOutLastRelease()
  if (!last) {
    const why = `The last release, ${LAST_RELEASE}, is not in this checkout's history: clone without --depth to test an upgrade.`
    if (process.env.CI) throw new Error(why)
    context.skip(why)
    return
  }
  const DATABASE_URL = await freshDatabase(inject('postgresUrl'), { empty: true })
  expect((await migrate(DATABASE_URL, last)).code).toBe(0)
  const before = await start({ DATABASE_URL, ROLE: 'web' }, last)
  const worker = await start({ DATABASE_URL, ROLE: 'worker' }, last)
  const visitors: Visitor[] = []
  for (let count = 0; count < CUSTOMERS; count += 1) visitors.push(await signUpAt(before.url))

  let urls = [before.url]
  let rounds = 0
  let isOver = false
  const failed: string[] = []
  const days = visitors.map(async (visitor, index) => {
    while (!isOver) {
      failed.push(...(await liveThrough(urls[(rounds + index) % urls.length] ?? before.url, visitor)))
      rounds += 1
    }
  })
  const goOn = async () => {
    const until = rounds + ROUNDS_AROUND
    await expect.poll(() => rounds, { timeout: 120_000 }).toBeGreaterThan(until)
  }
  await goOn()
  const { code, said } = await migrate(DATABASE_URL)
  expect(said).toMatch(/^\d+ steps ran; functions and views replaced: /)
  expect(code).toBe(0)
  await goOn()
  const after = await start({ DATABASE_URL, ROLE: 'web' })
  await start({ DATABASE_URL, ROLE: 'worker' })
  urls = [before.url, after.url]
  await goOn()
  urls = [after.url]
  expect((await fetch(`${before.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${after.url}/readyz`)).status).toBe(200)
  await goOn()
  await Promise.all([before.stop(), worker.stop()])
  await goOn()
  isOver = true
  await Promise.all(days)
  expect(failed).toEqual([])
  const { db, close } = await openPostgres(DATABASE_URL, { poolSize: 2, onLost: () => undefined })
  expect((await verifyLedger(db, ledgerChecks)).problems).toEqual([])
  await close()
})

it('a process with one role waits for it, says so, and is ready afterwards', async () => {
  const DATABASE_URL = await freshDatabase(inject('postgresUrl'), { empty: true })
  // It logs its port twice: while it waits, and when it serves.
  const child = spawn(process.execPath, ['run.mjs', 'server'], {
    cwd: root,
    env: { ...NODE_ENVIRONMENT, PORT: '0', ROLE: 'web', DATABASE_URL }
  })
  cleanups.push(() => child.kill('SIGKILL'))
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  await expect.poll(() => said, { timeout: 30_000 }).toContain('waiting for `npm run migrate`')
  const port = /"port":(\d+)/.exec(said)?.[1]
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status
  expect(await ready()).toBe(503)
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  expect((await migrate(DATABASE_URL)).code).toBe(0)
  await expect.poll(ready, { timeout: 30_000 }).toBe(200)
  expect(
    (await postJson(`http://127.0.0.1:${port}`, '/users/signin/otp/request', { email: `${randomUUID()}@example.com` })).status
  ).toBe(200)
})

it('gives way to a transaction that holds a table of its step and needs another one', async () => {
  const url = await freshDatabase(inject('postgresUrl'), { empty: true })
  // The release before the constraints.
  const { folder, remove } = earlierMigrations(14)
  cleanups.push(remove)
  await migratePostgres(url, folder)
  const customer = new pg.Client(url)
  const watcher = new pg.Client(url)
  await Promise.all([customer.connect(), watcher.connect()])
  cleanups.push(() => Promise.all([customer.end(), watcher.end()]))
  // Both tables are of one step: it has locked `deposits` when it comes to `payments`.
  await customer.query('begin')
  await customer.query('lock table payments in row exclusive mode')
  const migrated = migratePostgres(url)
  const waits = "select count(*)::int as count from pg_locks where relation = 'payments'::regclass and not granted"
  await expect
    .poll(async () => (await watcher.query<{ count: number }>(waits)).rows[0]?.count, { interval: 20, timeout: 20_000 })
    .toBe(1)
  await customer.query('lock table deposits in row exclusive mode')
  await customer.query('commit')
  expect((await migrated).steps).toBeGreaterThanOrEqual(2)
})
