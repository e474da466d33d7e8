import { sql } from 'drizzle-orm'
import OpenAPIClientAxios from 'openapi-client-axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallName, calls, isOpenCall } from '#lib/contract/calls.ts'
import { errorStatus } from '#lib/contract/errors.ts'
import { shapes } from '#lib/contract/shapes/index.ts'
import { rowsOf } from '#lib/server/platform/db/client.ts'
import { type Customer, createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
let customer: Customer
beforeAll(async () => {
  test = await createTestApp()
  customer = await test.customer()
})
afterAll(() => test.close())

const names = Object.keys(calls) as CallName[]
const pathFor = (name: CallName, id = 'x') => calls[name].path.replace('{id}', id)

/** Row counts of the tables that a refused call must not write; it may write rate limit counters. */
async function countRows(): Promise<string> {
  const tables = [
    'users',
    'codes',
    'challenges',
    'passkeys',
    'recovery_codes',
    'identity_checks',
    'identity_events',
    'sessions',
    'refresh_tokens',
    'idempotency_keys',
    'jobs',
    'known_devices',
    'withdrawal_holds',
    'daily_prices',
    'bank_statements',
    'accounts',
    'postings',
    'orders',
    'payments',
    'stakes'
  ]
  const counts = tables.map((table) => `(select count(*) from ${table})::text as ${table}`).join(', ')
  return JSON.stringify(rowsOf(await test.app.context.db.execute(sql.raw(`select ${counts}`))))
}

describe('the contract', () => {
  it('is what the OpenAPI file says: every call, its method, and a bearer where one is needed', async () => {
    const { body } = await test.send('GET', '/openapi.json')
    const described = Object.entries<Record<string, { operationId: string; security: object[] }>>(body.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { operationId, security }]) => ({
          operationId,
          method: method.toUpperCase(),
          path,
          open: security.length === 0
        }))
    )
    const listed = names.map((name) => ({
      operationId: name,
      method: calls[name].method,
      path: calls[name].path,
      open: isOpenCall(name)
    }))
    const byName = (a: { operationId: string }, b: { operationId: string }) => a.operationId.localeCompare(b.operationId)
    expect(described.sort(byName)).toEqual(listed.sort(byName))
  })

  it('is described once, with an ETag, and a client generated from it reaches the calls', async () => {
    const first = await test.send('GET', '/openapi.json')
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const known = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await test.send('GET', '/openapi.json', { headers: known })).status).toBe(304)
    const asked: string[] = []
    const api = new OpenAPIClientAxios({ definition: first.body })
    const client = await api.init()
    // Sends the client's requests to the application in memory instead of the network.
    client.defaults.adapter = async (config) => {
      const { pathname } = new URL(client.getUri(config), 'http://wallet.test')
      asked.push(pathname)
      const response = await test.app.api.request(pathname, {
        method: config.method?.toUpperCase() ?? 'GET',
        headers: config.headers.toJSON() as Record<string, string>
      })
      return { data: await response.json(), status: response.status, statusText: '', headers: {}, config }
    }
    const { token } = await test.customer()
    const headers = { authorization: `Bearer ${token}` }
    const balance = await client.getBalance?.(undefined, undefined, { headers })
    expect(balance?.data.data).toHaveProperty('CPC')
    const order = await client.getOrder?.({ id: 'RF00' }, undefined, { headers })
    expect(order?.data.code).toBe('invalid_fields')
    expect(asked).toEqual(['/v1/users/balance', '/v1/orders/combo/RF00'])
  })

  it.each(names.filter((name) => !isOpenCall(name)))('%s needs a bearer', async (name) => {
    const answer = await test.send(calls[name].method, pathFor(name), calls[name].method === 'GET' ? {} : { body: {} })
    expect(answer).toMatchObject({
      status: 401,
      body: { statusCode: 401, code: 'unauthorized', message: 'Please sign in again.' }
    })
  })

  it('answers 404 for an unknown path and 405 for another method', async () => {
    expect((await test.send('GET', '/nothing')).body).toMatchObject({ statusCode: 404, code: 'not_found' })
    expect((await test.send('DELETE', '/users/balance')).body).toMatchObject({ statusCode: 405, code: 'method_not_allowed' })
  })

  it('prices PTC by the packages of the day, whatever the price service says', async () => {
    const market = await createTestApp({
      ports: (ports) => ({
        ...ports,
        rates: {
          current: async () => {
            const rates = await ports.rates.current()
            return { ...rates, pricesUsd: { ...rates.pricesUsd, values: { CPC: '0.05' } } }
          }
        }
      })
    })
    const { prices } = (await market.send('GET', '/token/supported-tokens')).body.data
    expect(prices).toEqual({ CPC: '0.05', PTC: '0.0009' })
    await market.close()
  })

  it('says nothing of the inside when something unexpected fails', async () => {
    const broken = await createTestApp({
      ports: (ports) => ({ ...ports, rates: { current: () => Promise.reject(new Error('password=hunter2 at db-17')) } })
    })
    const answer = await broken.send('GET', '/token/supported-tokens')
    expect(answer.body).toEqual({
      statusCode: 500,
      code: 'internal',
      message: 'An unexpected error occurred.',
      requestId: expect.stringMatching(/^[\da-f-]{36}$/)
    })
    await broken.close()
  })
})

const nasty: unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  1.5,
  '',
  ' ',
  '-5',
  '1e9',
  'NaN',
  '9'.repeat(500),
  'x'.repeat(5000),
  '\u0000',
  'a\u0000b@example.com',
  '\ud800',
  '💥'.repeat(50),
  "'; drop table users; --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  [],
  [[[[]]]],
  {},
  { $ne: null },
  { __proto__: { admin: true } },
  { toString: 'x' }
]
const rawBodies = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '123',
  '{"a":',
  '\u0000',
  '{"a":1}}',
  '['.repeat(5000),
  '{"__proto__":{"x":1}}'
]

describe('nonsense', () => {
  const withBody = names.filter((name) => 'body' in shapes[name])

  it.each(withBody)('sent to %s is refused with a code, writes nothing and leaks nothing', async (name) => {
    const shape = shapes[name]
    const schema = 'body' in shape ? shape.body : undefined
    const fields = schema && 'shape' in schema ? Object.keys(schema.shape as object) : ['orderComboId']
    const good: Record<string, unknown> = {
      // Signing up accepts any well-formed password and phone, so make the email address invalid.
      email: name === 'signUp' ? 'no address' : 'fuzz@example.com',
      password: 'long enough',
      phone: name === 'updateProfile' ? 'no number' : '+43 660 1234567',
      token: '000000',
      otp: '000000',
      refreshToken: 'none',
      // CPC would succeed, so use PTC, which has no deposit addresses.
      currency: name === 'giveDepositAddress' ? 'PTC' : 'CPC',
      amount: '1',
      comboConfigId: 82,
      bankAccountId: 1,
      name: '<',
      displayCurrency: 'GBP',
      ticket: 'none',
      code: '000000',
      // A message may have any text, so make its context invalid.
      context: 'none',
      currentCode: '000000',
      newCode: '000000',
      ttlInSecs: 0,
      response: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 'x' } }
    }
    // A call without required input accepts an empty one.
    const wantsNothing = fields.length === 0
    const bodies: unknown[] = [
      ...rawBodies.filter((body) => body !== '' || !wantsNothing),
      ...(wantsNothing
        ? []
        : nasty
            .filter((value) => !(fields.includes('isOn') && typeof value === 'boolean'))
            .map((value) => JSON.stringify(Object.fromEntries(fields.map((field) => [field, value]))))),
      ...fields.flatMap((field) =>
        // Both booleans are valid for `isOn`.
        nasty
          .filter((value) => !(field === 'isOn' && typeof value === 'boolean'))
          .map((value) => JSON.stringify({ ...Object.fromEntries(fields.map((f) => [f, good[f]])), [field]: value }))
      ),
      JSON.stringify({ ...Object.fromEntries(fields.map((f) => [f, good[f]])), extra: 'field' })
    ]
    const before = await countRows()
    for (const body of bodies) {
      const answer = await test.send(calls[name].method, pathFor(name), {
        body,
        ...(!isOpenCall(name) && name !== 'signOut' && { token: customer.token }),
        headers: { 'idempotency-key': 'fuzz' }
      })
      expect(answer.status, `${name} ${String(body).slice(0, 200)}`).toBeLessThan(500)
      expect(answer.status, `${name} ${String(body).slice(0, 200)}`).not.toBe(200)
      expect(errorStatus[answer.body.code as keyof typeof errorStatus]).toBe(answer.status)
      expect(JSON.stringify(answer.body)).not.toMatch(/postgres|drizzle|select |insert |\/src\/|node_modules|stack/i)
      expect(answer.body.message).not.toBe('')
    }
    expect(await countRows()).toBe(before)
  })

  it.each(withBody)('of 1 MiB sent to %s is answered 413', async (name) => {
    const body = JSON.stringify({ email: 'x'.repeat(1024 * 1024) })
    const answer = await test.send(calls[name].method, pathFor(name), {
      body,
      headers: { 'content-length': String(body.length) }
    })
    expect(answer).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
  })

  it.each(withBody.filter(isOpenCall))('of another media type sent to %s is answered 415', async (name) => {
    const answer = await test.send(calls[name].method, pathFor(name), {
      body: 'email=a',
      headers: { 'content-type': 'text/plain' }
    })
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  })

  it.each([
    '/orders/combo/%00',
    '/orders/combo/%F0%28%8C%28',
    '/orders/combo/..%2f..%2f',
    `/orders/combo/${'x'.repeat(3000)}`,
    '/orders/combo/preview/NaN',
    '/orders/combo/preview/1e309',
    '/orders/combo?limit=abc',
    '/orders/combo?limit=-1',
    '/orders/combo?limit=1&limit=2&extra=1',
    '/orders/combo/config?type=%00',
    '/orders/combo/config'
  ])('in the address %s is refused with a code', async (path) => {
    const answer = await test.send('GET', path, { token: customer.token })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(errorStatus[answer.body.code as keyof typeof errorStatus]).toBe(answer.status)
  })
})
