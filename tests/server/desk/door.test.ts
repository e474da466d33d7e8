/** The desk's server: another name, another build. Neither door opens the other's. */
import { globSync, readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { deskCalls } from '#lib/contract/desk/calls.ts'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string }

/** Sends the path and the name unchanged. */
function ask(port: string, host: string, path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request({ hostname: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (chunk) => {
        body += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }))
    })
    req.on('error', reject).end()
  })
}

const DESK = 'dist/desk'
/** Scripts and sheets that a build gives to browsers. */
const filesOf = (folder: string) =>
  globSync(`${folder}/**/*.{js,css,html}`).map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const routesOf = (folder: string): string[] =>
  JSON.parse(readFileSync(`${folder}/server/routes.json`, 'utf8')).map(({ pattern }: { pattern: string }) => pattern)

describe('the desk’s door', () => {
  let server: ServerProcess
  let customers: string
  let desk: string
  beforeAll(async () => {
    server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')) }, { keepLog: true })
    customers = new URL(server.url).port
    desk = new URL(server.deskUrl ?? '').port
  })
  afterAll(() => server.stop())

  it('answers to its own name alone, and the customers’ to any but that', async () => {
    for (const host of ['localhost', '127.0.0.1', 'desk.example', 'desk.localhost.example', ''])
      expect((await ask(desk, host, '/sign-in')).status, host).toBe(421)
    for (const host of ['desk.localhost', `desk.localhost:${customers}`, 'DESK.localhost', 'desk.localhost.'])
      expect((await ask(customers, host, '/sign-in')).status, host).toBe(421)
    for (const path of ['/healthz', '/readyz']) expect((await ask(desk, '127.0.0.1', path)).status, path).toBe(200)
    expect((await ask(desk, `desk.localhost:${desk}`, '/sign-in')).status).toBe(200)
    expect((await ask(customers, 'localhost', '/sign-in')).status).toBe(200)
  })

  it('shows a stranger the door, whatever they ask for', async () => {
    const host = `desk.localhost:${desk}`
    for (const path of [
      '/',
      '/withdrawals',
      '/approvals',
      '/audit',
      '/people',
      '/me',
      '//people',
      '/%70eople',
      '/people?p=x',
      '/approvals/x'
    ]) {
      const { status, headers } = await ask(desk, host, path)
      expect([302, 308, 404], path).toContain(status)
      if (status === 302) expect(headers.location, path).toBe('/sign-in')
    }
    for (const path of ['/dashboard', '/sandbox', '/v1/users/profile', '/v1/openapi.json', '/_image'])
      expect((await ask(desk, host, path)).status, path).toBeGreaterThanOrEqual(300)
    expect((await ask(customers, 'localhost', '/withdrawals')).status).toBe(404)
    expect((await ask(customers, 'localhost', '/v1/overview')).status).toBe(404)
  })

  it('has the headers of a page that nobody frames, and no inline script', async () => {
    const { headers, body } = await ask(desk, `desk.localhost:${desk}`, '/sign-in')
    const policy = String(headers['content-security-policy'])
    expect(body).not.toMatch(/<script(?![^>]* src=)|\son\w+=/)
    for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"])
      expect(policy).toContain(part)
    expect(policy).not.toContain('unsafe-')
    expect(headers['cache-control']).toContain('no-store')
  })

  it('is a process of its own as ROLE=desk, which works with no job', async () => {
    const url = await freshDatabase(inject('postgresUrl'))
    const alone = await startServer({ DATABASE_URL: url, ROLE: 'desk' })
    const { port } = new URL(alone.url)
    expect((await ask(port, `desk.localhost:${port}`, '/sign-in')).status).toBe(200)
    expect((await ask(port, 'localhost', '/sign-in')).status).toBe(421)
    expect(await alone.stop()).toBe(0)
  })

  it('costs customers nothing where its port is taken: one line in the log', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await new Promise((listening) => taken.once('listening', listening))
    const address = taken.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    const other = await startServer(
      { DATABASE_URL: await freshDatabase(inject('postgresUrl')), DESK_PORT: port },
      { keepLog: true }
    )
    expect(other.deskUrl).toBeUndefined()
    expect((await ask(new URL(other.url).port, 'localhost', '/sign-in')).status).toBe(200)
    expect(other.log().match(/the desk did not start/g)).toHaveLength(1)
    await other.stop()
    taken.close()
  })
})

describe('the two builds', () => {
  it('share no route and no call', () => {
    const [customers, desk] = [routesOf('dist'), routesOf(DESK)]
    expect(desk.length).toBeGreaterThan(8)
    const both = desk.filter((pattern) => customers.includes(pattern))
    // Astro's own routes, and pages that every site has.
    expect(both.filter((pattern) => !pattern.startsWith('/_')).toSorted()).toEqual(['/', '/404', '/sign-in'])
  })

  it('the customers’ has nothing of the desk', () => {
    const paths = Object.values(deskCalls)
      .map(({ path }) => path.replace(/\{.*/, ''))
      .filter((path) => path.length > 8 && path !== '/sign-in/options')
    const files = filesOf('dist/client')
    expect(files.length).toBeGreaterThan(50)
    for (const { file, text } of files)
      for (const path of [...paths, 'startActs', 'operators’ desk'])
        expect(text.includes(`"${path}`), `${file}: ${path}`).toBe(false)
  })

  it('the desk’s has nothing of the customers’, and no page loads more than 120 kB of scripts', () => {
    const files = filesOf(`${DESK}/client`)
    for (const { file, text } of files)
      for (const word of ['/users/balance', 'auth-storage', 'nanostores', '/orders/combo'])
        expect(text.includes(word), `${file}: ${word}`).toBe(false)
    const scripts = files.filter(({ file }) => file.endsWith('.js')).reduce((sum, { text }) => sum + gzipSync(text).length, 0)
    expect(scripts).toBeGreaterThan(1000)
    expect(scripts).toBeLessThan(120_000)
  })
})
