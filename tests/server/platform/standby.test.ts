/** Reads from a standby: what it may answer, how old it may be, and what goes on while no primary answers. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { migratePostgres } from '#lib/server/platform/db/client.ts'
import { createDatabase } from '#support/databases.ts'
import { type RunningPostgres, startPostgres } from '#support/embeddedPostgres.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { type RunningStandby, startStandby } from '#support/standby.ts'
import { startTcpProxy, type TcpProxy } from '#support/tcpProxy.ts'
import { postJson, signUpAt, type Visitor } from '#support/visitor.ts'

const NAME = 'wallet'
/** Two seconds of age, and the time between two looks. */
const WITHIN = { timeout: 6000, interval: 100 }
let primary: RunningPostgres
let standby: RunningStandby
/** The product's ways to the two servers. */
let toPrimary: TcpProxy
let toStandby: TcpProxy
let server: ServerProcess
let visitor: Visitor

const portOf = ({ url }: RunningPostgres) => Number(new URL(url(NAME)).port)
const open = (way: RunningPostgres, port = 0) => startTcpProxy({ host: '127.0.0.1', port: portOf(way) }, port)
const metricsOf = async (one: ServerProcess) => {
  await vi.waitUntil(() => /"metrics":(\d+)/.test(one.log()), { timeout: 10_000 })
  return (await fetch(`http://127.0.0.1:${/"metrics":(\d+)/.exec(one.log())?.[1]}/metrics`)).text()
}
const figureOf = async (one: ServerProcess, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, 'm').exec(await metricsOf(one))?.[1])
const readsOf = (one = server) => figureOf(one, 'db_standby_reads_total')
function start(standbyPort: number): Promise<ServerProcess> {
  const DATABASE_URL = new URL(primary.url(NAME))
  DATABASE_URL.port = String(toPrimary.port)
  const env = { DATABASE_URL: DATABASE_URL.href, DATABASE_STANDBY: `127.0.0.1:${standbyPort}`, METRICS_PORT: '0' }
  return startServer(env, { keepLog: true })
}

const call = (path: string, { token } = visitor, at = server) =>
  fetch(`${at.url}/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
const statusOf = async (path: string, who = visitor, at = server) => (await call(path, who, at)).status
const page = (path: string, cookie = visitor.cookie, at = server) =>
  fetch(`${at.url}${path}`, { headers: { cookie }, redirect: 'manual' })

beforeAll(async () => {
  primary = await startPostgres()
  await createDatabase(primary.url('postgres'), NAME)
  await migratePostgres(primary.url(NAME))
  standby = await startStandby(primary)
  toPrimary = await open(primary)
  toStandby = await open(standby)
  server = await start(toStandby.port)
  visitor = await signUpAt(server.url)
  await vi.waitUntil(async () => (await (await call('/news')).json()).data.total > 0, { timeout: 20_000, interval: 200 })
}, 90_000)
afterAll(async () => {
  await server?.kill()
  await toPrimary?.close()
  await toStandby?.close()
  await standby?.stop()
  await primary?.stop()
})
const untilUsable = () => vi.waitUntil(async () => (await figureOf(server, 'db_standby_usable')) === 1, WITHIN)
beforeEach(untilUsable)
afterEach(() => standby.run('select pg_wal_replay_resume()'))

/** What `ask` does leaves the standby alone. */
async function withoutStandby(ask: () => Promise<unknown>): Promise<void> {
  const before = await readsOf()
  await ask()
  expect(await readsOf()).toBe(before)
}

/** The primary cannot be reached by the product while `run` runs; the standby still follows it. */
async function withoutPrimary(run: () => Promise<void>): Promise<void> {
  const { port } = toPrimary
  await toPrimary.cut()
  try {
    await run()
  } finally {
    toPrimary = await open(primary, port)
    await expect.poll(() => statusOf('/users/balance'), { timeout: 15_000 }).toBe(200)
  }
}

it('answers news, their pages and pictures, and no figure of a customer', async () => {
  const { data: list } = await (await call('/news')).json()
  const [entry] = list.data
  const image = /\/news-image\/[\w-]+\.\w+/.exec(await (await page('/news')).text())?.[0]
  expect(image).toBeDefined()
  for (const ask of [
    () => call('/news'),
    () => call(`/news/${entry.id}`),
    () => page('/news'),
    () => page(`/news/${entry.id}`),
    () => page(String(image))
  ]) {
    const before = await readsOf()
    expect((await ask()).status).toBe(200)
    expect(await readsOf()).toBeGreaterThan(before)
  }
  await withoutStandby(() => page('/dashboard'))
  await withoutStandby(() => page('/p2p'))
  await withoutStandby(() => call('/users/balance'))
  await withoutStandby(() => call('/p2p/orders'))
})

it('lets a customer in whose session it has not got yet, and turns away one who has none', async () => {
  await standby.run('select pg_wal_replay_pause()')
  const late = await signUpAt(server.url, { unverified: true })
  expect([await statusOf('/news', late), (await page('/news', late.cookie)).status]).toEqual([200, 200])
  expect((await page('/news', 'session=forged')).headers.get('location')).toMatch(/^\/sign-in/)
})

it('is left alone once it is too old: a session that has ended has ended there too', async () => {
  const gone = await signUpAt(server.url, { unverified: true })
  await standby.run('select pg_wal_replay_pause()')
  expect((await postJson(server.url, '/users/signout', {}, gone.token)).status).toBe(200)
  await expect.poll(() => statusOf('/news', gone), WITHIN).toBe(401)
  expect(await figureOf(server, 'db_standby_usable')).toBe(0)
  await withoutStandby(() => page('/news'))
  expect((await page('/news')).status).toBe(200)
})

it('answers news and the book while no primary answers, and nothing else', async () => {
  const { data: list } = await (await call('/news')).json()
  await withoutPrimary(async () => {
    // At no moment in between; help too, in the frame of who is signed in.
    for (let tries = 0; tries < 30; tries += 1) {
      const answers = [await call('/news'), await page('/news'), await page(`/news/${list.data[0].id}`), await page('/help')]
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      expect(await answers[3]?.text()).toContain(visitor.email)
      await new Promise((resume) => setTimeout(resume, 50))
    }
    expect(await (await page('/news')).text()).toContain(list.data[0].title)
    await expect.poll(() => statusOf('/p2p/orders'), WITHIN).toBe(200)
    expect(await statusOf('/users/balance')).toBe(503)
    // Whether this session has ended is not known: nobody is told that they are signed out.
    expect(await statusOf('/news', { ...visitor, token: 'x.y.z' })).toBe(401)
    expect((await page('/news', 'session=forged')).status).toBeGreaterThanOrEqual(500)
  })
}, 60_000)

it('answers before a customer gives up, where the primary is silent', async () => {
  toPrimary.fallSilent()
  try {
    const headers = { cookie: visitor.cookie, authorization: `Bearer ${visitor.token}` }
    for (const path of ['/news', '/v1/news', '/help', '/news'])
      expect((await fetch(`${server.url}${path}`, { headers, signal: AbortSignal.timeout(4000) })).status).toBe(200)
    await expect.poll(() => statusOf('/p2p/orders'), WITHIN).toBe(200)
  } finally {
    toPrimary.speak()
  }
  await expect.poll(() => statusOf('/users/balance'), { timeout: 15_000 }).toBe(200)
}, 30_000)

it('may be gone: the primary answers', async () => {
  const { port } = toStandby
  await toStandby.cut()
  for (let tries = 0; tries < 10; tries += 1) expect([await statusOf('/news'), (await page('/news')).status]).toEqual([200, 200])
  toStandby = await open(standby, port)
  await untilUsable()
})

it('may be silent: the primary answers', async () => {
  toStandby.fallSilent()
  for (let tries = 0; tries < 10; tries += 1) expect([await statusOf('/news'), (await page('/news')).status]).toEqual([200, 200])
  toStandby.speak()
})

it('must be one: a primary is not taken for it', async () => {
  const wrong = await start(portOf(primary))
  try {
    const own = await signUpAt(wrong.url, { unverified: true })
    expect([await statusOf('/news', own, wrong), (await page('/news', own.cookie, wrong)).status]).toEqual([200, 200])
    expect([await readsOf(wrong), await figureOf(wrong, 'db_standby_usable')]).toEqual([0, 0])
  } finally {
    await wrong.kill()
  }
})
