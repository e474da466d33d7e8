/** What pages ask of PostgreSQL: few statements, no writes, each customer's own figures; and what happens where it takes no writes. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { signUpAt, type Visitor } from '#support/visitor.ts'

let server: ServerProcess
let databaseUrl: string
let visitor: Visitor
let client: pg.Client
beforeAll(async () => {
  databaseUrl = await freshDatabase(inject('postgresUrl'))
  server = await startServer({ DATABASE_URL: databaseUrl })
  visitor = await signUpAt(server.url)
  client = new pg.Client(databaseUrl)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.stop()
})

const get = (path: string, cookie = visitor.cookie, of = server) =>
  fetch(`${of.url}${path}`, { headers: { cookie }, redirect: 'manual' })
async function bodyOf(path: string, cookie?: string, of?: ServerProcess): Promise<string> {
  const response = await get(path, cookie, of)
  expect(response.status, path).toBe(200)
  return response.text()
}

/** The transactions of a web process that is asked for every page so often; outside of a transaction, each statement is one. */
async function spent(times: number, { cookie }: Visitor): Promise<number> {
  const ended = async () => {
    const { rows } = await client.query(
      'select (xact_commit + xact_rollback)::integer as ended from pg_stat_database where datname = current_database()'
    )
    return rows[0].ended
  }
  const before = await ended()
  const web = await startServer({ DATABASE_URL: databaseUrl, ROLE: 'web' })
  for (const path of Object.keys(STATEMENTS)) for (let time = 0; time < times; time += 1) await bodyOf(path, cookie, web)
  // A connection reports when it ends.
  await web.stop()
  return (await ended()) - before
}

/** The uses of a limit are counted together, for eight views. */
const LIMITED = 1 / 8
/** Statements of a page after the first few: who asks, its figures; of some the use of a limit. */
const STATEMENTS: Record<string, number> = {
  '/dashboard': 2 + LIMITED,
  '/token/CPC': 2 + LIMITED,
  '/activity': 2 + LIMITED,
  '/package-history': 2,
  '/staking': 2,
  '/rewards': 2,
  '/notices': 3,
  '/profile': 2,
  '/buy-package': 2,
  '/help': 2
}
const WARM = 4
const TIMES = 10

describe('pages', () => {
  it('ask few statements; one more on any of them is too much', async () => {
    // Each count has a customer of its own, whose minute of limits begins with it: no minute ends while the pages are counted.
    const pairs: [Visitor, Visitor][] = []
    for (let pair = 0; pair < 3; pair += 1) pairs.push([await signUpAt(server.url), await signUpAt(server.url)])
    // Without the jobs of the other process, which would be counted as well.
    await server.stop()
    const most = Object.values(STATEMENTS).reduce((sum, count) => sum + count, 0)
    const isNear = (each: number) => each < most + 0.5 && each > most - 1
    // Other work of the process, e.g. a timer, adds to one of the two counts: the first near one of three counts, or the last.
    let each = Number.POSITIVE_INFINITY
    for (const [few, many] of pairs) {
      const first = await spent(WARM, few)
      each = ((await spent(WARM + TIMES, many)) - first) / TIMES
      if (isNear(each)) break
    }
    server = await startServer({ DATABASE_URL: databaseUrl })
    expect(each).toBeLessThan(most + 0.5)
    expect(each, 'fewer: lower the count above').toBeGreaterThan(most - 1)
  })

  it('of every route answer, also those that keep something by the way', async () => {
    const { rows } = await client.query(
      'select id from notices where user_id = (select id from users where email = $1) limit 1',
      [visitor.email]
    )
    const routes: { pattern: string }[] = JSON.parse(readFileSync('dist/server/routes.json', 'utf8'))
    const fixed = routes.map(({ pattern }) => pattern).filter((pattern) => !pattern.includes('[') && pattern !== '/500')
    const others = [
      `/notices?open=${rows[0]?.id ?? 1}`,
      '/withdraw-confirm?token=unknown',
      '/verify/UNKNOWN',
      '/rewards/unknown.ics',
      '/news-preview/unknown',
      '/news-preview?entry=unknown',
      '/package-history?tab=deposit',
      '/token/BTC'
    ]
    const failed: string[] = []
    for (const cookie of [visitor.cookie, ''])
      for (const path of [...fixed, ...others]) {
        const response = await get(path, cookie)
        await response.arrayBuffer()
        if (response.status >= 500) failed.push(`${response.status} ${path}`)
      }
    expect(failed).toEqual([])
  })

  it('show each customer their own, however many ask at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => signUpAt(server.url)))
    const all = [visitor, ...others]
    const asked = Array.from({ length: 40 }, (_, index) => all[index % all.length] as Visitor)
    const pages = await Promise.all(asked.map(({ cookie }) => bodyOf('/profile', cookie)))
    for (const [index, page] of pages.entries())
      for (const { email } of all) expect(page.includes(email), email).toBe(email === asked[index]?.email)
  })

  it('say their length in bytes, and are the same with and without compression, and to HEAD', async () => {
    const ask = (method: string, encoding: string) =>
      fetch(`${server.url}/help`, { method, headers: { cookie: visitor.cookie, 'accept-encoding': encoding } })
    const plain = await ask('GET', 'identity')
    const bytes = new Uint8Array(await plain.arrayBuffer())
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // More bytes than characters.
    expect(bytes.length).toBeGreaterThan(text.length)
    expect(text).toContain('</body></html>')
    expect(plain.headers.get('content-length')).toBe(String(bytes.length))
    for (const encoding of ['br', 'gzip']) {
      const packed = await ask('GET', encoding)
      expect(packed.headers.get('content-encoding')).toBe(encoding)
      expect(await packed.text()).toBe(text)
    }
    const head = await ask('HEAD', 'identity')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it.each(['identity', 'br'])('reach a slow browser whole; one that leaves holds up nobody (%s)', async (encoding) => {
    const { port, host } = new URL(server.url)
    const asked = `GET /profile HTTP/1.1\r\nhost: ${host}\r\ncookie: ${visitor.cookie}\r\naccept-encoding: ${encoding}\r\n`
    const last = `${asked}connection: close\r\n\r\n`
    const leaver = connect(Number(port), '127.0.0.1')
    leaver.write(`${asked}\r\n`.repeat(20))
    await once(leaver, 'readable')
    leaver.destroy()
    const reader = connect(Number(port), '127.0.0.1').pause()
    const pages = 400
    reader.write(`${asked}\r\n`.repeat(pages - 1) + last)
    // Uncompressed, this is more than the system keeps for a connection: the process has to wait for the reader.
    await setTimeout(500)
    let text = ''
    for await (const chunk of reader.setEncoding('latin1')) text += chunk
    expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(pages)
    if (encoding === 'identity') expect(text.split('</body></html>').length - 1).toBe(pages)
    else expect(text.split('\r\n0\r\n\r\n').length - 1).toBe(pages)
    await bodyOf('/help')
  })

  it.each([
    '/activity?search=%00',
    '/activity?search=a%00b',
    '/staking?search=%00&status=%00&sort=%00',
    '/package-history?tab=%00'
  ])('answer also where the address has a NUL, which they leave out: %s', async (path) => {
    expect((await get(path)).status).toBe(200)
  })

  it('answer while the database takes no writes', async () => {
    const name = new URL(databaseUrl).pathname.slice(1)
    await client.query(`alter database "${name}" set default_transaction_read_only = on`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
    )
    await setTimeout(500)
    try {
      for (const path of ['/dashboard', '/activity', '/token/CPC', '/profile', '/help']) await bodyOf(path)
    } finally {
      await client.query('set default_transaction_read_only = off')
      await client.query(`alter database "${name}" reset default_transaction_read_only`)
    }
  })
})
