import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitKeyOf } from '#lib/server/api/clientAddress.ts'
import { limitsOfEmail } from '#lib/server/api/limits.ts'
import { createTestApp, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1' } })
})
afterAll(() => test.close())

describe('limits', () => {
  it('let twenty tries at one address through in ten minutes, then say how long to wait, then let on', async () => {
    const body = { email: 'victim@example.com', password: 'a guess' }
    const statuses: number[] = []
    for (let tries = 0; tries < 21; tries += 1) statuses.push((await test.send('POST', '/users/signin', { body })).status)
    expect(statuses.slice(0, 20).every((status) => status === 401)).toBe(true)
    const refused = await test.send('POST', '/users/signin', { body })
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests', retryAfterSeconds: 600 } })
    expect(refused.headers.get('retry-after')).toBe('600')
    expect((await test.send('POST', '/users/signin', { body: { ...body, email: 'other@example.com' } })).status).toBe(401)
    test.pass(601)
    expect((await test.send('POST', '/users/signin', { body })).status).toBe(401)
  })

  it('count by address, so that one cannot keep the owner of an account out', () => {
    expect(limitsOfEmail('signIn', { address: '192.0.2.1', email: 'a@example.com' }).map(({ key, max }) => [key, max])).toEqual([
      ['signIn:email:a@example.com:192.0.2.1', 20],
      ['signIn:email:a@example.com', 100]
    ])
  })

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64']
  ])('count %s as %s', (address, key) => {
    expect(limitKeyOf(address)).toBe(key)
  })

  it('count simultaneous calls one by one', async () => {
    const body = { email: 'parallel@example.com', otp: '123456' }
    const answers = await Promise.all(Array.from({ length: 30 }, () => test.send('POST', '/users/signin/otp/verify', { body })))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })
})
