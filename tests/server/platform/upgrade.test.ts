/** An upgrade without downtime: processes of the last release run while this one migrates, and both serve until the old ones stop. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
const ROUNDS_AROUND = 10
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

const RECEIVER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const DOLLAR = 1_000_000n

/** The sandbox's outside world: a form of its page. */
async function outside(url: string, form: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/sandbox`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
    headers: { origin: url }
  })
  if (answer.status !== 303) throw new Error(`${JSON.stringify(form)}: ${answer.status}`)
}

/** A customer with dollars whose first withdrawal made the receiver's address known: the later ones need no link. */
async function payee(url: string): Promise<Visitor> {
  const visitor = await signUpAt(url)
  await expect
    .poll(() => outside(url, { email: visitor.email, currency: 'USDC', amount: '900', deposit: 'send' }).catch(String), {
      timeout: 30_000
    })
    .toBeUndefined()
  await outside(url, { chain: 'ethereum', act: 'many' })
  await expect.poll(async () => (await withdraw(url, visitor, 20n)).status, { timeout: 60_000, interval: 500 }).toBe(200)
  const token = async () => {
    const html = await (await fetch(`${url}/sandbox`)).text()
    const mails = html.split('data-mail=').filter((mail) => mail.startsWith(`"${visitor.email}"`))
    return mails.map((mail) => /withdraw-confirm\?token=([\w.-]+)/.exec(mail)?.[1]).find(Boolean) ?? ''
  }
  await expect.poll(token, { timeout: 30_000 }).not.toBe('')
  const answer = await postJson(url, '/users/withdraw/link/answer', { token: await token(), isConfirmed: true })
  expect(answer.status).toBe(200)
  return visitor
}

function withdraw(url: string, { token }: Visitor, dollars: bigint): Promise<Response> {
  const details = { party: 'self', name: 'Ada Lovelace' }
  const body = { currency: 'USDC', amount: String(dollars * DOLLAR), receiver: RECEIVER, details }
  return postJson(url, '/users/withdraw/eth/create', body, token)
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
  const journals = mkdtempSync(join(tmpdir(), 'wallet-upgrade-'))
  cleanups.push(() => rmSync(journals, { recursive: true, force: true }))
  const SIGNER = { DATABASE_URL, ROLE: 'signer', SIGNER_JOURNAL: join(journals, 'signer.sqlite') }
  const olds = [await start({ DATABASE_URL, ROLE: 'web' }, last), await start({ DATABASE_URL, ROLE: 'web' }, last)]
  const [before, second] = olds as [ServerProcess, ServerProcess]
  const worker = await start({ DATABASE_URL, ROLE: 'worker' }, last)
  const oldSigner = await start(SIGNER, last)
  const paid = await payee(before.url)
  let asked = 1
  const visitors: Visitor[] = []
  for (let count = 0; count < CUSTOMERS; count += 1) visitors.push(await signUpAt(before.url))

  let urls = olds.map(({ url }) => url)
  let rounds = 0
  let isOver = false
  const failed: string[] = []
  const days = visitors.map(async (visitor, index) => {
    while (!isOver) {
      failed.push(...(await liveThrough(urls[(rounds + index) % urls.length] ?? before.url, visitor)))
      rounds += 1
    }
  })
  const payouts = (async () => {
    while (!isOver) {
      const [url = before.url] = urls
      const answer = await withdraw(url, paid, 11n)
      if (answer.status === 200) asked += 1
      // At most twenty may be open, and a day has its limit.
      else if (answer.status !== 409 && answer.status !== 422) failed.push(`withdrawal: ${answer.status} ${await answer.text()}`)
      await outside(url, { chain: 'ethereum', act: 'mine' }).catch((error: unknown) => failed.push(String(error)))
      await new Promise((resume) => setTimeout(resume, 800))
    }
  })()
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
  urls = [before.url, second.url, after.url]
  await goOn()
  // One signer at a time: the next one goes on with the journal of the first.
  await oldSigner.stop()
  await start(SIGNER)
  urls = [before.url, after.url]
  await goOn()
  await second.stop()
  const other = await start({ DATABASE_URL, ROLE: 'web' })
  urls = [before.url, after.url, other.url]
  await goOn()
  urls = [after.url, other.url]
  expect((await fetch(`${before.url}/readyz`)).status).toBe(200)
  expect((await fetch(`${after.url}/readyz`)).status).toBe(200)
  await goOn()
  await Promise.all([before.stop(), worker.stop()])
  await goOn()
  isOver = true
  await Promise.all([...days, payouts])
  expect(failed).toEqual([])
  // Each withdrawal that was taken is paid, once: the journal of all releases has as many payments.
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  cleanups.push(() => client.end())
  const count = async (query: string) => Number((await client.query<{ count: string }>(query)).rows[0]?.count)
  await expect
    .poll(
      async () => {
        await outside(after.url, { chain: 'ethereum', act: 'mine' })
        return count("select count(*) from withdrawals where state = 'confirmed'")
      },
      { timeout: 90_000, interval: 1000 }
    )
    .toBe(asked)
  expect(asked).toBeGreaterThan(3)
  expect(await count('select count(*) from chain_stops where resumed_at is null')).toBe(0)
  expect(await count("select count(*) from chain_sends where purpose = 'lost'")).toBe(0)
  const paidOut = `select count(*) from sandbox_blocks b, jsonb_array_elements(b.transactions) t, jsonb_array_elements(t->'payments') p
    where lower(p->>'address') = lower('${RECEIVER}')`
  expect(await count(paidOut)).toBe(asked)
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
