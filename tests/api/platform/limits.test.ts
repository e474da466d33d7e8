import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitKeyOf } from '#lib/server/platform/api/clientAddress.ts'
import { limitsOfEmail } from '#lib/server/platform/api/limits.ts'
import { countAgainst } from '#lib/server/platform/limits.ts'
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

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

  it('count strangers by address and together, and a known device separately', () => {
    const limits = {
      short: { max: 20, windowSeconds: 600 },
      day: { max: 60, windowSeconds: 86_400 },
      refunds: 'success'
    } as const
    const keys = (knownDevice: string | undefined) =>
      limitsOfEmail('signIn', limits, { address: '192.0.2.1', email: 'a@example.com', knownDevice }).map(({ key, max }) => [
        key,
        max
      ])
    expect(keys(undefined)).toEqual([
      ['signIn:email:a@example.com:192.0.2.1', 20],
      ['signIn:email:a@example.com', 100],
      ['signIn:day:a@example.com:192.0.2.1', 60],
      ['signIn:day:a@example.com', 300]
    ])
    expect(keys('browser')).toEqual([
      ['signIn:device:a@example.com:browser', 20],
      ['signIn:device:day:a@example.com:browser', 300]
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

  it('of which one refuses a call leave the others to calls of the same moment', async () => {
    const address = { key: 'test:address', max: 3, windowSeconds: 60, isForgettable: true }
    const from = (who: string) => countAgainst(test.app.context, [{ ...address, key: `test:${who}`, max: 1 }, address])
    const told = await Promise.allSettled(['a', 'a', 'a', 'a', 'b', 'c', 'd'].map(from))
    expect(told.map(({ status }) => status === 'fulfilled')).toEqual([true, false, false, false, true, true, false])
  })

  it('let fifty guesses a day at an authenticator app through, however many sign-ins somebody with the password begins', async () => {
    const { email, token } = await test.customer()
    const post = (path: string, body: unknown) => test.send('POST', path, { body, token })
    const { secret } = (await post('/users/totp/start', {})).body.data
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.app.context.clock().getTime() })
    await post('/users/totp', { code: code() })
    const begin = async () => (await post('/users/signin', { email, password: PASSWORD })).body.ticket
    const guess = (ticket: string, tried = 'AAAAA-AAAAA') => post('/users/signin/second-factor', { ticket, code: tried })

    const codes: string[] = []
    for (let ticketNumber = 0; ticketNumber < 10; ticketNumber += 1) {
      const ticket = await begin()
      for (let tries = 0; tries < 5; tries += 1) codes.push((await guess(ticket)).body.code)
      test.pass(601)
    }
    expect(codes).toEqual(Array(50).fill('second_factor_invalid'))
    const refused = await guess(await begin(), code())
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(refused.body.retryAfterSeconds).toBeGreaterThan(79_000)
    test.pass(refused.body.retryAfterSeconds)
    expect((await guess(await begin(), code())).status).toBe(200)
  })

  it('do not apply to the link of a mail: nobody can use it up for everybody', async () => {
    const { email } = await test.customer()
    await test.send('POST', '/users/signin', { body: { email, password: PASSWORD } })
    const token = /not-me\?token=([\w.-]+)/.exec((await test.mailsTo(email))[0]?.text ?? '')?.[1]
    const disavow = (tried: string | undefined) => test.send('POST', '/users/signin/disavow', { body: { token: tried } })
    const forged = await Promise.all(Array.from({ length: 150 }, () => disavow('x.y.z')))
    expect(new Set(forged.map(({ body }) => body.code))).toEqual(new Set(['link_invalid']))
    expect((await disavow(token)).status).toBe(200)
  })
})
