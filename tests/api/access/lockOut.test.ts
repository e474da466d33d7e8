/** Strangers who know an email address cannot lock its owner out, however many attempts they make from many IP addresses. */
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

const ADDRESSES = Array.from({ length: 6 }, (_, index) => `198.51.100.${index + 1}`)
const TRIES = 22

let test: TestApp
beforeAll(async () => {
  test = await createTestApp({ env: { LIMIT_SCALE: '1', PROXY_HOPS: '1' } })
})
afterAll(() => test.close())

const from = (address: string) => ({ 'x-forwarded-for': address })

/** A customer with her own browser and IP address. */
async function owner() {
  const email = `${randomUUID()}@example.com`
  const send = test.browser()
  const home = from('192.0.2.1')
  const post = (path: string, body: unknown) => send('POST', path, { body, headers: home })
  await post('/users/signup', { email, password: PASSWORD, phone: '+43 660 1234567' })
  await post('/users/signup/verify', { email, token: await test.codeFor(email) })
  return { email, post }
}

/** `TRIES` attempts from every IP address, each from a new browser. */
async function attack(path: string, body: (tries: number) => unknown) {
  for (const address of ADDRESSES) {
    for (let tries = 0; tries < TRIES; tries += 1) await test.send('POST', path, { body: body(tries), headers: from(address) })
  }
}

const wrongCode = (tries: number) => String(tries).padStart(6, '0')

describe('the owner in her own browser', () => {
  it('signs in with her code, whatever codes strangers entered meanwhile', async () => {
    const { email, post } = await owner()
    expect((await post('/users/signin/otp/request', { email })).status).toBe(200)
    const code = await test.codeFor(email)
    await attack('/users/signin/otp/verify', (tries) => ({ email, otp: wrongCode(tries) }))
    expect((await post('/users/signin/otp/verify', { email, otp: code })).status).toBe(200)
  })

  it('keeps the code she has when strangers ask for others, and gets another one herself', async () => {
    const { email, post } = await owner()
    expect((await post('/users/signin/otp/request', { email })).status).toBe(200)
    const code = await test.codeFor(email)
    await attack('/users/signin/otp/request', () => ({ email }))
    expect((await post('/users/signin/otp/verify', { email, otp: code })).status).toBe(200)
    test.pass(61)
    expect((await post('/users/signin/otp/request', { email })).status).toBe(200)
  })

  it('signs in with her password, whatever passwords strangers tried', async () => {
    const { email, post } = await owner()
    await attack('/users/signin', (tries) => ({ email, password: `guess number ${tries}` }))
    expect((await post('/users/signin', { email, password: PASSWORD })).status).toBe(200)
  }, 120_000)

  it('sets a new password, whatever strangers asked for', async () => {
    const { email, post } = await owner()
    expect((await post('/users/forgot-password', { email })).status).toBe(200)
    const token = await test.codeFor(email)
    await attack('/users/forgot-password', () => ({ email }))
    await attack('/users/forgot-password/verify', (tries) => ({ email, token: wrongCode(tries), password: PASSWORD }))
    const reset = await post('/users/forgot-password/verify', { email, token, password: 'an entirely new password' })
    expect(reset.status).toBe(200)
  }, 240_000)
})

describe('a browser that asked for a code and never signed in before', () => {
  it('enters it, whatever strangers entered meanwhile', async () => {
    const { email } = await owner()
    const send = test.browser()
    const headers = from('192.0.2.77')
    expect((await send('POST', '/users/signin/otp/request', { body: { email }, headers })).status).toBe(200)
    const code = await test.codeFor(email)
    await attack('/users/signin/otp/verify', (tries) => ({ email, otp: wrongCode(tries) }))
    expect((await send('POST', '/users/signin/otp/verify', { body: { email, otp: code }, headers })).status).toBe(200)
  })
})

describe('what counts', () => {
  it('is no request that came too soon', async () => {
    const { email } = await owner()
    const ask = () => test.send('POST', '/users/signin/otp/request', { body: { email }, headers: from('192.0.2.5') })
    expect((await ask()).status).toBe(200)
    for (let again = 0; again < 15; again += 1) expect((await ask()).body.code).toBe('too_soon')
    test.pass(61)
    expect((await ask()).status).toBe(200)
  })

  it('is no right password', async () => {
    const { email } = await owner()
    for (let again = 0; again < 25; again += 1) {
      const answer = await test.send('POST', '/users/signin', { body: { email, password: PASSWORD }, headers: from('192.0.2.6') })
      expect(answer.status).toBe(200)
    }
  })

  it('are the wrong codes of a stranger with the cookie of his own', async () => {
    const { email, post } = await owner()
    await post('/users/signin/otp/request', { email })
    const stranger = test.browser()
    const headers = from('203.0.113.9')
    await stranger('POST', '/users/signin/otp/request', { body: { email }, headers })
    const statuses: number[] = []
    for (let tries = 0; tries < 12; tries += 1)
      statuses.push(
        (await stranger('POST', '/users/signin/otp/verify', { body: { email, otp: wrongCode(tries) }, headers })).status
      )
    expect(new Set(statuses)).toEqual(new Set([400]))
  })
})

describe('a token', () => {
  const sign = (claims: Record<string, unknown>, expires: boolean) => {
    const nowSeconds = Math.floor(test.app.context.clock().getTime() / 1000)
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt(nowSeconds)
    return (expires ? token.setExpirationTime(nowSeconds + 60) : token).sign(test.app.context.keyFor('access-token'))
  }

  it.each([
    ['without an end', { sid: randomUUID() }, false],
    ['with an odd session', { sid: 'not-a-uuid' }, true],
    ['with a session that is no text', { sid: 7 }, true],
    ['without a session', {}, true]
  ])('%s, signed with our own key, is 401', async (_, claims, expires) => {
    const token = await sign({ user_id: randomUUID(), ...claims }, expires)
    expect(await test.send('GET', '/users/balance', { token })).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  })
})
