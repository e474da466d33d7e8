/** Traces: from a page to its statements, to a collector that is set; what is in them, and what is not. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { HOUSE_ID } from '#lib/server/ledger/schema.ts'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt, type Visitor } from '#support/visitor.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Span = { traceId: string; spanId: string; parentSpanId?: string; name: string; kind: number; attributes: Attribute[] }
type Exported = { resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[] }

const SERVER = 2
const CLIENT = 3
const sent: string[] = []
const keys = new Set<string | undefined>()
/** A collector that keeps what it gets. */
const collector = createServer((req, res) => {
  let text = ''
  req.on('data', (chunk) => {
    text += chunk
  })
  req.on('end', () => {
    if (req.url === '/v1/traces') sent.push(text)
    keys.add(req.headers['x-key']?.toString())
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
})
let server: ServerProcess
let visitor: Visitor
beforeAll(async () => {
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const env = {
    DATABASE_URL: await freshDatabase(inject('postgresUrl')),
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of the collector'
  }
  server = await startServer(env, { keepLog: true })
  visitor = await signUpAt(server.url)
  const page = await fetch(`${server.url}/dashboard`, {
    headers: {
      cookie: `${visitor.cookie}; ${visitor.browser}`,
      traceparent: '00-11111111111111111111111111111111-2222222222222222-01'
    }
  })
  expect(page.status).toBe(200)
  await postJson(server.url, '/users/balance/transfer-from-spot-to-funding', { currency: 'CPC', amount: '1' }, visitor.token)
  await fetch(`${server.url}/verify/a-number-of-a-paper`)
  // Sends what is left.
  await server.stop()
}, 60_000)
afterAll(() => collector.close())

const spans = () =>
  sent.flatMap((text) => (JSON.parse(text) as Exported).resourceSpans.flatMap((of) => of.scopeSpans.flatMap((one) => one.spans)))
const attributeOf = ({ attributes }: Span, key: string) => {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue
}
const one = (name: string) => {
  const [found] = spans().filter((span) => span.name === name)
  if (!found) throw new Error(`No span ${name} among ${[...new Set(spans().map((span) => span.name))].join(', ')}`)
  return found
}
const within = (span: Span): Span[] =>
  spans()
    .filter(({ parentSpanId }) => parentSpanId === span.spanId)
    .flatMap((child) => [child, ...within(child)])

it('a page leads to its calls, and each call to its statements, in a trace that the client has not chosen', () => {
  const page = one('GET /dashboard')
  expect(page.kind).toBe(SERVER)
  expect(attributeOf(page, 'http.response.status_code')).toBe(200)
  expect(page.parentSpanId ?? '').toBe('')
  expect(page.traceId).not.toMatch(/^1+$/)
  const all = within(page)
  const call = all.find(({ name }) => name.startsWith('GET /v1/'))
  expect(call?.parentSpanId).toBe(page.spanId)
  const statements = all.filter(({ kind }) => kind === CLIENT)
  expect(statements.length).toBeGreaterThan(3)
  for (const span of all) expect(span.traceId).toBe(page.traceId)
  for (const span of statements) {
    expect(attributeOf(span, 'db.system.name')).toBe('postgresql')
    expect(attributeOf(span, 'db.query.text')).toBeTruthy()
  }
})

it('a call and a job are traces of their own', () => {
  const call = one('POST /v1/users/balance/transfer-from-spot-to-funding')
  expect(attributeOf(call, 'http.response.status_code')).toBe(422)
  expect(within(call).some(({ kind }) => kind === CLIENT)).toBe(true)
  const job = one('job mail')
  expect(job.parentSpanId ?? '').toBe('')
  expect(within(job).some(({ kind }) => kind === CLIENT)).toBe(true)
})

it('lines of the log name the trace', () => {
  const lines = server
    .log()
    .split('\n')
    .filter((line) => line.includes('"path":"/dashboard"'))
  const page = one('GET /dashboard')
  expect(lines.at(-1)).toContain(`"traceparent":"00-${page.traceId}-${page.spanId}-01"`)
})

it('no span names a customer, a value or a secret', () => {
  const text = sent.join('')
  for (const secret of [visitor.email, visitor.token, 'a-number-of-a-paper']) expect(text).not.toContain(secret)
  one('GET /verify/[...code]')
  // Ids of customers, orders and sessions are values. Only the id of the house stands in the text of statements.
  const ids = new Set(text.match(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f-]+/g))
  expect(ids).toEqual(new Set([HOUSE_ID]))
  expect(keys).toEqual(new Set(['of the collector']))
})

it('a collector that never answers holds up no stop', async () => {
  const silent = createServer(() => undefined)
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const env = {
    DATABASE_URL: await freshDatabase(inject('postgresUrl')),
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  }
  const other = await startServer(env)
  await fetch(`${other.url}/help`)
  // It would end with 1 where it waited for the collector.
  expect(await other.stop()).toBe(0)
  silent.closeAllConnections()
  silent.close()
})
