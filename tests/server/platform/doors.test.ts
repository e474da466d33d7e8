/** Pages with forms under attack: limits count the browser and not our own pages, and odd values are refusals, not faults. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { signUpAt, type Visitor } from '#support/visitor.ts'

const LIMIT = 60
const PROMO_TRIES = 15
let server: ServerProcess
let visitors: Visitor[]
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')), LIMIT_SCALE: '1' })
  visitors = []
  for (let count = 0; count <= LIMIT / PROMO_TRIES; count += 1) visitors.push(await signUpAt(server.url))
})
afterAll(() => server.stop())

type Asked = { path: string; from: string; form?: Record<string, string>; cookie?: string }
type Answer = { status: number; location: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }

/** Asks from an address of this machine, as a browser there would: `fetch` cannot choose its address. */
function ask({ path, from, form, cookie }: Asked): Promise<Answer> {
  const { port, hostname } = new URL(server.url)
  const body = form && new URLSearchParams(form).toString()
  const headers = {
    ...(cookie && { cookie }),
    ...(form && { origin: server.url, 'content-type': 'application/x-www-form-urlencoded' })
  }
  return new Promise((resolve, reject) => {
    const options = { hostname, port, path, localAddress: from, method: form ? 'POST' : 'GET', headers }
    const req = request(options, (res) => {
      let text = ''
      res.setEncoding('utf8')
      res.on('data', (chunk) => {
        text += chunk
      })
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, location: res.headers.location, headers: res.headers, body: text })
      )
    })
    req.on('error', reject).end(body)
  })
}

const ATTACKER = '127.0.0.66'
const OTHER = '127.0.0.20'

describe('a limit by address counts the browser that asks for the page', () => {
  it.each([
    ['GET', undefined],
    ['POST', { token: 'zzz', answer: 'cancel' }]
  ])('%s /withdraw-confirm', async (_, form) => {
    const path = '/withdraw-confirm?token=zzz'
    const asked = { path, ...(form && { form }) }
    const statuses = new Set<number>()
    for (let count = 0; count <= LIMIT; count += 1) statuses.add((await ask({ ...asked, from: ATTACKER })).status)
    expect([...statuses], 'the attacker is stopped').toEqual([400, 503])
    expect((await ask({ ...asked, from: OTHER })).status, 'another browser is not').toBe(400)
  })

  it('POST /buy-package, with a promo code', async () => {
    const post = (at: number, from: string, code: string) =>
      ask({ path: '/buy-package', from, cookie: visitors[at]?.cookie ?? '', form: { promo: code } })
    for (let at = 0; at < LIMIT / PROMO_TRIES; at += 1) {
      for (let tries = 0; tries < PROMO_TRIES; tries += 1) await post(at, ATTACKER, 'wrong')
    }
    const right = await post(LIMIT / PROMO_TRIES, OTHER, 'ANNIVERSARY')
    expect(right.status).toBe(303)
    expect(right.location).toContain('/buy-package/bonus')
  })
})

describe('odd values of a form are refused, and no fault of the server', () => {
  it.each([
    ['/withdraw-history', { cancel: '..' }],
    ['/withdraw-history', { deposit: '..', party: 'self', name: 'Ada' }],
    ['/withdraw-history', { cancel: '.' }]
  ])('POST %s %o', async (path, form) => {
    const answer = await ask({ path, form, from: OTHER, cookie: visitors[0]?.cookie ?? '' })
    expect(answer.status).toBe(303)
    expect(answer.location).toMatch(/notice=(too-late|refused)/)
  })

  it.each(['/not-me', '/withdraw-confirm'])('POST %s with a NUL in its token', async (path) => {
    expect((await ask({ path, form: { token: '\0' }, from: OTHER })).status).toBe(400)
  })

  it.each(['2026-02-30T10:00:00.000Z_x', '0000-01-01T00:00:00.000Z_x'])('GET /activity?before=%s', async (before) => {
    const answer = await ask({ path: `/activity?before=${before}`, from: OTHER, cookie: visitors[0]?.cookie ?? '' })
    expect(answer.status).toBeLessThan(500)
  })
})

describe('a secret link', () => {
  it.each(['/withdraw-confirm', '/not-me'])('%s is in no Referer', async (path) => {
    const { headers } = await ask({ path: `${path}?token=secret`, from: OTHER })
    expect(headers['referrer-policy']).toBe('same-origin')
  })

  it('is not shown or mailed by the contact form that is opened from it', async () => {
    const { port, hostname } = new URL(server.url)
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: new URL(server.url).host, referer: `${server.url}/not-me?token=very-secret` }
      const req = request({ hostname, port, path: '/help/contact', headers }, (res) => {
        let text = ''
        res.setEncoding('utf8')
        res.on('data', (chunk) => {
          text += chunk
        })
        res.on('end', () => resolve(text))
      })
      req.on('error', reject).end()
    })
    expect(body).toContain('/not-me')
    expect(body).not.toContain('very-secret')
  })
})

describe('a body that is too large', () => {
  /** Sends it and then, on the same connection, as a proxy would, somebody else's request; what came back, and whether the server closed. */
  async function then(size: number, isSaid: boolean): Promise<{ first: string; second: string; isClosed: boolean }> {
    const { port, hostname, host } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    let [got, isClosed] = ['', false]
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.on('close', () => {
      isClosed = true
    })
    socket.on('error', () => undefined)
    const length = isSaid ? `content-length: ${size}` : 'transfer-encoding: chunked'
    const type = 'content-type: application/x-www-form-urlencoded'
    socket.write(`POST /sign-in HTTP/1.1\r\nhost: ${host}\r\norigin: ${server.url}\r\n${type}\r\n${length}\r\n\r\n`)
    socket.write(isSaid ? 'a'.repeat(size) : `${size.toString(16)}\r\n${'a'.repeat(size)}\r\n`)
    for (let waited = 0; got === '' && !isClosed && waited < 100; waited += 1) await setTimeout(50)
    await setTimeout(300)
    const first = got
    got = ''
    if (!isClosed) socket.write(`GET /sign-in HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
    for (let waited = 0; got === '' && !isClosed && waited < 60; waited += 1) await setTimeout(50)
    socket.destroy()
    return { first, second: got, isClosed }
  }

  it.each([
    ['says its length', 300_000, true],
    ['says its length, and is far above', 3_000_000, true],
    ['says no length', 300_000, false]
  ])('that %s leaves nothing for the next request of its connection', async (_, size, isSaid) => {
    const { first, second, isClosed } = await then(size, isSaid)
    if (isSaid) expect(first).toMatch(/^(HTTP\/1\.1 413|$)/)
    expect(isClosed || second.startsWith('HTTP/1.1 200'), `${first.slice(0, 60)} | ${second.slice(0, 60)}`).toBe(true)
    expect((await fetch(`${server.url}/help`)).status, 'the process is alive').toBe(200)
  })

  it('refuses a body without a length at the desk, before it is read', async () => {
    const desk = new URL(server.deskUrl ?? '')
    const socket = connect(Number(desk.port), '127.0.0.1')
    await once(socket, 'connect')
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk
    })
    socket.on('error', () => undefined)
    const headers = `host: ${desk.host}\r\norigin: ${desk.origin}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked`
    // Only its beginning is sent: who waits for the rest would not answer.
    socket.write(`POST /v1/statements HTTP/1.1\r\n${headers}\r\n\r\n5\r\n{"a":\r\n`)
    await expect.poll(() => got, { timeout: 5000 }).toMatch(/^HTTP\/1\.1 411 /)
    expect(got).toContain('length_required')
    socket.destroy()
  })

  it('the desk takes the form of a search from its own pages alone', async () => {
    const desk = new URL(server.deskUrl ?? '')
    const search = (origin?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { host: desk.host, 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) }
        request({ host: '127.0.0.1', port: desk.port, path: '/customers', method: 'POST', agent: false, headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .once('error', reject)
          .end('q=x')
      })
    expect(await search('https://evil.example')).toBe(403)
    expect(await search()).toBe(403)
    // Nobody is signed in here: led to the door.
    expect(await search(desk.origin)).toBe(302)
  })
})
