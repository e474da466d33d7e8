/** What Prometheus reads: names by convention, no customer in a label, and not on the customers' port. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { FIGURES } from '#lib/server/app/figures.ts'
import { freshDatabase } from '#support/databases.ts'
import { type ServerProcess, startServer } from '#support/serverProcess.ts'
import { postJson, signUpAt } from '#support/visitor.ts'

let server: ServerProcess
let figures = ''
beforeAll(async () => {
  server = await startServer({ DATABASE_URL: await freshDatabase(inject('postgresUrl')), METRICS_PORT: '0' }, { keepLog: true })
  const portOf = () => /"metrics":(\d+)/.exec(server.log())?.[1]
  await vi.waitUntil(portOf, { timeout: 10_000 })
  figures = `http://127.0.0.1:${portOf()}/metrics`
})
afterAll(() => server?.kill())

const read = async () => (await fetch(figures)).text()

it('counts requests by route and status, and names nobody', async () => {
  const { token, email } = await signUpAt(server.url)
  await fetch(`${server.url}/v1/users/balance`, { headers: { authorization: `Bearer ${token}` } })
  await postJson(server.url, '/users/balance/transfer-from-spot-to-funding', { currency: 'CPC', amount: '1' }, token)
  await fetch(`${server.url}/help`)
  await fetch(`${server.url}/verify/${randomUUID()}`)
  const answer = await fetch(figures)
  expect(answer.headers.get('content-type')).toContain('application/openmetrics-text')
  const text = await answer.text()
  expect(text).toMatch(/# EOF\n$/)
  const count = (route: string, status: number) =>
    new RegExp(
      `http_server_request_duration_seconds_count\\{[^}]*http_route="${route.replace(/[[\]{}/]/g, '\\$&')}",http_response_status_code="${status}"\\} 1\\b`
    )
  expect(text).toMatch(count('/v1/users/balance', 200))
  expect(text).toMatch(count('/v1/users/balance/transfer-from-spot-to-funding', 422))
  expect(text).toMatch(count('/help', 200))
  expect(text).toMatch(/db_client_connections\{state="open"\} \d/)
  expect(text).not.toContain(email)
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}/)
})

it('shows the figures of the whole product, all of them described', async () => {
  await expect
    .poll(async () => /^heartbeat_age_seconds\{name="role:worker"\} [\d.]+$/m.test(await read()), { timeout: 20_000 })
    .toBe(true)
  const text = await read()
  expect(text).toContain('figures_read 1')
  for (const name of Object.keys(FIGURES)) expect(text, name).toContain(`# HELP ${name} `)
  for (const name of ['chain_height', 'heartbeat_age_seconds'])
    expect(text, name).toMatch(new RegExp(`^${name}\\{\\w+="[\\w:]+"\\} [\\d.]+$`, 'm'))
})

it('counts what browsers report about the policy of pages, which names where', async () => {
  const page = await fetch(`${server.url}/sign-in`)
  expect(page.headers.get('content-security-policy')).toContain('report-uri /csp-report')
  const before = Number(/csp_reports_total (\d+)/.exec(await read())?.[1])
  expect((await fetch(`${server.url}/csp-report`, { method: 'POST', body: '{"csp-report":{}}' })).status).toBe(204)
  expect(Number(/csp_reports_total (\d+)/.exec(await read())?.[1])).toBe(before + 1)
})

it('is on its own port alone', async () => {
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  expect((await fetch(new URL('/', figures))).status).toBe(404)
})
