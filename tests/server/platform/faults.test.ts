/** What customers see when something fails: the process is stopped, or the database is down, silent or slow. */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { startTcpProxy, type TcpProxy } from '#support/tcpProxy.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function someDatabase(): Promise<URL> {
  return new URL(await freshDatabase(inject('postgresUrl')))
}

function through(database: URL, proxy: Pick<TcpProxy, 'port'>): string {
  const url = new URL(database)
  url.port = String(proxy.port)
  return url.href
}

async function start(env: Record<string, string>): Promise<ServerProcess> {
  const server = await startServer(env, { keepLog: true })
  cleanups.push(() => server.kill())
  return server
}

/** A server whose connections to the database can be cut or fall silent. */
async function startBehindProxy() {
  const database = await someDatabase()
  const proxy = await startTcpProxy({ host: database.hostname, port: Number(database.port) })
  cleanups.push(proxy.close)
  return { proxy, server: await start({ DATABASE_URL: through(database, proxy) }) }
}

/** One request on a keep-alive connection; returns the status, or the error's code. */
function ask(agent: Agent, url: string, path: string, token: string): Promise<number | string> {
  return new Promise((resolve) => {
    const req = request(new URL(path, url), { agent, headers: { authorization: `Bearer ${token}` } }, (res) => {
      res.resume()
      res.on('end', () => resolve(res.statusCode ?? 0))
    })
    req.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error')).end()
  })
}

describe('a process that is asked to stop', () => {
  it('answers what is in flight on connections that stay open, cuts nobody off, and ends with 0 within 10 s', async () => {
    const server = await start({ DATABASE_URL: (await someDatabase()).href })
    const { token } = await signUpAt(server.url)
    const outcomes: (number | string)[] = []
    let stopping = false
    const clients = Array.from({ length: 12 }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (;;) {
        const wasStopping = stopping
        const outcome = await ask(agent, server.url, '/v1/users/balance', token)
        outcomes.push(outcome)
        // After the stop, new connections are refused; nothing else may end a client, as asserted below.
        if (outcome !== 200) return { outcome, wasStopping }
      }
    })
    while (outcomes.length < 200) await Promise.race(clients.map(() => ask(new Agent(), server.url, '/v1/users/balance', token)))
    const began = performance.now()
    stopping = true
    expect(await server.stop()).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    const ends = await Promise.all(clients)
    expect(ends.filter(({ outcome }) => outcome !== 'ECONNREFUSED')).toEqual([])
    expect(ends.every(({ wasStopping }) => wasStopping)).toBe(true)
  })
})

describe('without its database', () => {
  it('a process says 503 and when to try again, never 500, and recovers by itself', async () => {
    const { proxy, server } = await startBehindProxy()
    const { token, cookie } = await signUpAt(server.url)
    const balance = () => fetch(`${server.url}/v1/users/balance`, { headers: { authorization: `Bearer ${token}` } })
    expect((await balance()).status).toBe(200)
    const { port } = proxy
    await proxy.cut()
    const refused = await balance()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ statusCode: 503, code: 'unavailable', retryAfterSeconds: 5 })
    expect((await postJson(server.url, '/users/signin/otp/request', { email: 'ada@example.com' })).status).toBe(503)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const page = await fetch(`${server.url}/sign-in`)
    expect(page.status).toBeLessThan(504)
    // A signed-in customer's page cannot be made: every line of the log is JSON, and one has the page's request id.
    const lost = await fetch(`${server.url}/dashboard`, { headers: { cookie }, redirect: 'manual' })
    expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '5'])
    const said = await lost.text()
    expect(said).toContain('The service is unavailable at the moment')
    expect(said).toContain('Status: unavailable at the moment')
    expect(said).toContain('<a class="button button-primary mt-6" href="/dashboard">')
    const form = await fetch(`${server.url}/euro-withdraw`, {
      method: 'POST',
      headers: { cookie, origin: server.url },
      body: new URLSearchParams({ amount: '1' })
    })
    expect([form.status, await form.text()]).toEqual([503, expect.stringContaining('The service is unavailable at the moment')])
    // What needs no database is there also for who is signed in.
    for (const path of ['/help', '/help/cancel-an-order', '/legal/terms-of-service']) {
      const answer = await fetch(`${server.url}${path}`, { headers: { cookie }, redirect: 'manual' })
      const asVisitor = await fetch(`${server.url}${path}`)
      expect([path, answer.status], path).toEqual([path, asVisitor.status])
      expect(answer.status, path).toBe(200)
    }
    const lines = () =>
      server
        .log()
        .split('\n')
        .slice(
          server
            .log()
            .split('\n')
            .findIndex((line) => line.includes('"listening"'))
        )
    await expect
      .poll(() =>
        lines().some((line) => line.includes(lost.headers.get('x-request-id') ?? '?') && line.includes('not available'))
      )
      .toBe(true)
    const isText = (line: string) => line.trim() !== '' && !line.startsWith('{') && !line.startsWith('  Open ')
    expect(lines().filter(isText)).toEqual([])
    const { hostname: host, port: databasePort } = new URL(inject('postgresUrl'))
    const back = await startTcpProxy({ host, port: Number(databasePort) }, port)
    cleanups.push(back.close)
    await expect.poll(async () => (await balance()).status, { timeout: 15_000 }).toBe(200)
  })

  it('that is silent, a call ends after 5 s with 503, and /readyz after 2 s; when it speaks again, so do we', async () => {
    const { proxy, server } = await startBehindProxy()
    const { token } = await signUpAt(server.url)
    proxy.fallSilent()
    const timed = async (path: string) => {
      const began = performance.now()
      const { status } = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
      return { status, seconds: (performance.now() - began) / 1000 }
    }
    const [call, ready] = await Promise.all([timed('/v1/users/balance'), timed('/readyz')])
    expect(call.status).toBe(503)
    expect(call.seconds).toBeLessThan(8)
    expect(ready.status).toBe(503)
    expect(ready.seconds).toBeLessThan(4)
    proxy.speak()
    await expect.poll(async () => (await timed('/v1/users/balance')).status, { timeout: 20_000 }).toBe(200)
    // No connection is still inside a transaction from the silent time: new writes are committed.
    const { token: next } = await signUpAt(server.url)
    expect(next).not.toBe(token)
  })

  it('a process that starts waits for it', async () => {
    const database = await someDatabase()
    const reserved = await startTcpProxy({ host: database.hostname, port: Number(database.port) })
    const { port } = reserved
    await reserved.close()
    const starting = start({ DATABASE_URL: through(database, { port }) })
    const [late] = await Promise.all([
      new Promise((resolve) => setTimeout(resolve, 2500)).then(() =>
        startTcpProxy({ host: database.hostname, port: Number(database.port) }, port)
      ),
      starting
    ])
    cleanups.push(late.close)
    expect((await fetch(`${(await starting).url}/readyz`)).status).toBe(200)
  })
})

describe('a client that breaks off', () => {
  it('in the middle of a body is no error in the log', async () => {
    const server = await startServer({ DATABASE_URL: (await someDatabase()).href, LOG_LEVEL: 'debug' }, { keepLog: true })
    cleanups.push(() => server.kill())
    const { hostname, port } = new URL(server.url)
    const head = `POST /v1/users/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"em`
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await new Promise<void>((sent) => socket.write(head, () => sent()))
    await new Promise<void>((closed) => socket.on('close', () => closed()).resetAndDestroy())
    await expect.poll(() => server.log(), { timeout: 5000 }).toContain('the caller went away')
    expect(server.log()).not.toMatch(/"level":(50|60|"error"|"fatal")/)
  })
})

describe('roles', () => {
  it('a web process writes mails down and sends none, a worker sends them and has no pages', async () => {
    const DATABASE_URL = (await someDatabase()).href
    const web = await start({ DATABASE_URL, ROLE: 'web' })
    const body = { email: 'ada@example.com', password: 'correct horse battery', phone: '+43 660 1234567' }
    expect((await postJson(web.url, '/users/signup', body)).status).toBe(200)
    expect(await (await fetch(`${web.url}/sandbox`)).text()).not.toContain('is your verification code')
    const worker = await start({ DATABASE_URL, ROLE: 'worker' })
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${worker.url}/sign-in`)).status).toBe(404)
    await expect
      .poll(async () => (await fetch(`${web.url}/sandbox`)).text(), { timeout: 10_000 })
      .toContain('is your verification code')
  })

  it('only a signer derives addresses; without one there is none to give', async () => {
    const DATABASE_URL = (await someDatabase()).href
    const web = await start({ DATABASE_URL, ROLE: 'web' })
    await start({ DATABASE_URL, ROLE: 'worker' })
    const { token } = await signUpAt(web.url)
    const ask = async () => (await postJson(web.url, '/users/deposit/address', { currency: 'BTC' }, token)).status
    expect(await ask()).toBe(503)
    const signer = await start({ DATABASE_URL, ROLE: 'signer' })
    await expect.poll(ask, { timeout: 15_000 }).toBe(200)
    expect((await fetch(`${signer.url}/sign-in`)).status).toBe(404)
    expect((await fetch(`${signer.url}/healthz`)).status).toBe(200)
  })

  it('another process sends the mail that a killed one had taken, within 15 s', async () => {
    const DATABASE_URL = (await someDatabase()).href
    const web = await start({ DATABASE_URL, ROLE: 'web' })
    const body = { email: 'eve@example.com', password: 'correct horse battery', phone: '+43 660 1234567' }
    await postJson(web.url, '/users/signup', body)
    // As if a worker had claimed the job and was killed: its lease is still on the row.
    const { default: pg } = await import('pg')
    const client = new pg.Client(DATABASE_URL)
    await client.connect()
    await client.query(
      "update jobs set lease = gen_random_uuid(), tries = 1, run_at = now() + interval '10 seconds' where kind = 'mail'"
    )
    await client.end()
    const began = performance.now()
    await start({ DATABASE_URL, ROLE: 'worker' })
    await expect
      .poll(async () => (await fetch(`${web.url}/sandbox`)).text(), { timeout: 15_000, interval: 250 })
      .toContain('is your verification code')
    expect(performance.now() - began).toBeLessThan(15_000)
  })
})

describe('the sandbox', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: (await someDatabase()).href })
  })
  afterAll(() => server.kill())

  it.each([
    ['evil.test', 421],
    ['localhost.evil.test', 421],
    ['localhost', 200],
    ['127.0.0.1:4321', 200],
    ['[::1]:80', 200]
  ])('asked by the name %s answers %i', async (host, status) => {
    const answered = await new Promise<number>((resolve, reject) => {
      request(new URL('/sandbox', server.url), { headers: { host } }, (res) => {
        res.resume()
        resolve(res.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
    expect(answered).toBe(status)
  })
})
