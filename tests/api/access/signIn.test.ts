import { randomUUID } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const someEmail = () => `${randomUUID()}@example.com`
const signUpBody = (email: string) => ({ email, password: PASSWORD, phone: '+43 660 1234567' })

describe('signing up', () => {
  it('makes the account when the code is confirmed, and signs in', async () => {
    const email = `Ada.${randomUUID()}@Example.com`
    const send = test.browser()
    const answer = await send('POST', '/users/signup', { body: signUpBody(` ${email} `) })
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { message: 'Account created successfully, please verify your email' } }
    })
    const code = await test.codeFor(email.toLowerCase())
    const verified = await send('POST', '/users/signup/verify', {
      body: { email, token: ` ${code.slice(0, 3)} ${code.slice(3)} ` }
    })
    expect(verified.status).toBe(200)
    expect(verified.headers.getSetCookie()).toContainEqual(
      expect.stringMatching(/^session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/)
    )
    const { payload } = await jwtVerify(verified.body.data.token, test.app.context.keyFor('access-token'), {
      currentDate: test.app.context.clock()
    })
    expect(payload).toMatchObject({ email: email.toLowerCase(), user_id: expect.any(String), sid: expect.any(String) })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(1800)
    const profile = await send('GET', '/users/profile/', { token: verified.body.data.token })
    expect(profile.body.data).toMatchObject({ email: email.toLowerCase(), phone: '+43 660 1234567', kycData: null })
  })

  it('says what is wrong with each field, by its code', async () => {
    const answer = await test.send('POST', '/users/signup', {
      body: { email: 'nonsense', password: 'short', phone: '', referralCode: '!' }
    })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_fields',
        fields: {
          email: 'email_invalid',
          password: 'password_short',
          phone: 'phone_required',
          referralCode: 'referral_code_invalid'
        }
      }
    })
  })

  it('refuses an unknown referral code and keeps a known one', async () => {
    const inviter = await test.signUp()
    const { referralCode } = (await test.send('GET', '/users/profile', { token: inviter.token })).body.data
    const refused = await test.send('POST', '/users/signup', { body: { ...signUpBody(someEmail()), referralCode: 'NOBODY12' } })
    expect(refused.body.fields).toEqual({ referralCode: 'referral_code_invalid' })
    const invited = await test.signUp({ referralCode: referralCode.toLowerCase() })
    const profile = await test.send('GET', '/users/profile', { token: invited.token })
    expect(profile.body.data.targetReferralCode).toBe(referralCode)
  })

  it('answers the same for an address that has an account, and tells its owner by mail', async () => {
    const { email } = await test.signUp()
    test.pass(61)
    const known = await test.send('POST', '/users/signup', { body: signUpBody(email) })
    const unknown = await test.send('POST', '/users/signup', { body: signUpBody(someEmail()) })
    expect(known.body).toEqual(unknown.body)
    expect((await test.mailsTo(email))[0]?.subject).toMatch(/^You already have an account/)
  })

  it('sends another code after 60 s and not before; the old one no longer works', async () => {
    const email = someEmail()
    const send = test.browser()
    await send('POST', '/users/signup', { body: signUpBody(email) })
    const first = await test.codeFor(email)
    const early = await send('POST', '/users/signup/resend', { body: { email } })
    expect(early).toMatchObject({ status: 400, body: { code: 'too_soon', statusCode: 400, retryAfterSeconds: 60 } })
    test.pass(60)
    expect((await send('POST', '/users/signup/resend', { body: { email } })).status).toBe(200)
    const second = await test.codeFor(email)
    if (first !== second) expect((await send('POST', '/users/signup/verify', { body: { email, token: first } })).status).toBe(400)
    expect((await send('POST', '/users/signup/verify', { body: { email, token: second } })).status).toBe(200)
  })

  it.each([
    ['without any cookie', {}],
    ['with the cookie of another browser', { cookie: `browser=${'x'.repeat(43)}` }]
  ])('gives nobody the password of a registration that is confirmed %s', async (_, headers) => {
    const email = someEmail()
    const attacker = await test.signUp()
    const { referralCode } = (await test.send('GET', '/users/profile', { token: attacker.token })).body.data
    await test.send('POST', '/users/signup', { body: { ...signUpBody(email), referralCode } })
    const body = { email, token: await test.codeFor(email) }
    const confirmed = await test.send('POST', '/users/signup/verify', { body, headers })
    expect(confirmed.status).toBe(200)
    // The registration's inviter and phone number are dropped too.
    const profile = await test.send('GET', '/users/profile', { token: confirmed.body.data.token })
    expect(profile.body.data).toMatchObject({ targetReferralCode: null, phone: '' })
    for (const password of [PASSWORD, 'none'])
      expect((await test.send('POST', '/users/signin', { body: { email, password } })).status).toBe(401)
  })

  it('of one address in two browsers gives each its own password, whoever was first', async () => {
    const email = someEmail()
    const [owner, stranger] = [test.browser(), test.browser()]
    await owner('POST', '/users/signup', { body: signUpBody(email) })
    const code = await test.codeFor(email)
    const headers = { 'x-forwarded-for': '192.0.2.9' }
    test.pass(61)
    await stranger('POST', '/users/signup', { body: { ...signUpBody(email), password: 'of a stranger' }, headers })
    expect((await owner('POST', '/users/signup/verify', { body: { email, token: code } })).status).toBe(200)
    expect((await test.send('POST', '/users/signin', { body: { email, password: PASSWORD } })).status).toBe(200)
    expect((await test.send('POST', '/users/signin', { body: { email, password: 'of a stranger' } })).status).toBe(401)
  })

  describe('that was left unfinished', () => {
    const byCode = async (send: typeof test.send, email: string, headers: Record<string, string> = {}) => {
      expect((await send('POST', '/users/signin/otp/request', { body: { email }, headers })).status).toBe(200)
      return send('POST', '/users/signin/otp/verify', { body: { email, otp: await test.codeFor(email) }, headers })
    }
    const signInWith = (email: string, password: string) => test.send('POST', '/users/signin', { body: { email, password } })

    it('is finished by a sign-in code on another device, without what was typed before', async () => {
      const { token: inviter } = await test.signUp()
      const { referralCode } = (await test.send('GET', '/users/profile/', { token: inviter })).body.data
      const email = someEmail()
      const stranger = test.browser()
      await stranger('POST', '/users/signup', { body: { ...signUpBody(email), password: 'of a stranger', referralCode } })
      const code = await test.codeFor(email)
      const elsewhere = { 'x-forwarded-for': '192.0.2.10' }
      const signedIn = await byCode(test.browser(), email, elsewhere)
      expect(signedIn.status).toBe(200)
      const profile = await test.send('GET', '/users/profile', { token: signedIn.body.data.token })
      expect(profile.body.data).toMatchObject({ email, phone: '', targetReferralCode: null })
      expect((await signInWith(email, 'of a stranger')).status).toBe(401)
      // Nor does the code of the sign-up make anything of it afterwards.
      expect((await stranger('POST', '/users/signup/verify', { body: { email, token: code } })).status).toBe(400)
      expect((await signInWith(email, 'of a stranger')).status).toBe(401)
    })

    it('keeps its password, phone and inviter in the browser that signed up, also an hour later', async () => {
      const email = someEmail()
      const send = test.browser()
      await send('POST', '/users/signup', { body: signUpBody(email) })
      test.pass(3600)
      const signedIn = await byCode(send, email)
      const profile = await test.send('GET', '/users/profile', { token: signedIn.body.data.token })
      expect(profile.body.data).toMatchObject({ phone: '+43 660 1234567' })
      expect((await signInWith(email, PASSWORD)).status).toBe(200)
    })

    it('leaves the browser that signed up its code while another one only asks', async () => {
      const email = someEmail()
      const send = test.browser()
      await send('POST', '/users/signup', { body: signUpBody(email) })
      const token = await test.codeFor(email)
      await test.browser()('POST', '/users/signin/otp/request', { body: { email }, headers: { 'x-forwarded-for': '192.0.2.11' } })
      expect((await send('POST', '/users/signup/verify', { body: { email, token } })).status).toBe(200)
      expect((await signInWith(email, PASSWORD)).status).toBe(200)
    })

    it('makes one account where two browsers enter their codes at once', async () => {
      const email = someEmail()
      const send = test.browser()
      await send('POST', '/users/signup', { body: signUpBody(email) })
      const other = test.browser()
      const headers = { 'x-forwarded-for': '192.0.2.12' }
      await other('POST', '/users/signin/otp/request', { body: { email }, headers })
      const otp = await test.codeFor(email)
      const both = await Promise.all(
        [send, other].map((one) => one('POST', '/users/signin/otp/verify', { body: { email, otp }, headers }))
      )
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    })

    it('is unknown a day after its code has expired', async () => {
      const email = someEmail()
      await test.browser()('POST', '/users/signup', { body: signUpBody(email) })
      await test.app.worker.flush()
      const before = (await test.mailsTo(email)).length
      test.pass(26 * 3600)
      await test.send('POST', '/users/signin/otp/request', { body: { email } })
      expect(await test.mailsTo(email)).toHaveLength(before)
    })
  })

  it('takes the last password of a browser that signs up twice', async () => {
    const email = someEmail()
    const send = test.browser()
    await send('POST', '/users/signup', { body: signUpBody(email) })
    test.pass(61)
    await send('POST', '/users/signup', { body: { ...signUpBody(email), password: 'thought better of it' } })
    await send('POST', '/users/signup/verify', { body: { email, token: await test.codeFor(email) } })
    expect((await test.send('POST', '/users/signin', { body: { email, password: 'thought better of it' } })).status).toBe(200)
  })

  it('is not held up by somebody who asks for a code of an address that never signed up', async () => {
    const email = someEmail()
    expect((await test.browser()('POST', '/users/signup/resend', { body: { email } })).status).toBe(200)
    expect((await test.browser()('POST', '/users/signup', { body: signUpBody(email) })).status).toBe(200)
  })

  it('does not send an expired registration again', async () => {
    const email = someEmail()
    await test.send('POST', '/users/signup', { body: signUpBody(email) })
    await test.codeFor(email)
    test.pass(1801)
    await test.send('POST', '/users/signup/resend', { body: { email } })
    expect(await test.mailsTo(email)).toHaveLength(1)
  })

  it.each([
    'foo<victim@example.com>',
    'a,victim@example.com',
    '(c)victim@example.com',
    'g:victim@example.com;',
    'a\u0007@example.com',
    '"a"@example.com'
  ])('takes no address that could mean another mailbox: %s', async (email) => {
    expect((await test.send('POST', '/users/signup', { body: signUpBody(email) })).body).toMatchObject({
      code: 'invalid_fields',
      fields: { email: 'email_invalid' }
    })
  })

  it('lets one of two simultaneous confirmations in', async () => {
    const email = someEmail()
    await test.send('POST', '/users/signup', { body: signUpBody(email) })
    const body = { email, token: await test.codeFor(email) }
    const answers = await Promise.all([1, 2, 3].map(() => test.send('POST', '/users/signup/verify', { body })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })
})

describe('signing in by code', () => {
  async function requestCode(email: string): Promise<string> {
    test.pass(61)
    await test.send('POST', '/users/signin/otp/request', { body: { email } })
    return test.codeFor(email)
  }
  const verify = (email: string, otp: string) => test.send('POST', '/users/signin/otp/verify', { body: { email, otp } })

  it('takes a right code once', async () => {
    const { email } = await test.signUp()
    const code = await requestCode(email)
    expect((await verify(email, code)).status).toBe(200)
    expect((await verify(email, code)).body).toMatchObject({
      statusCode: 400,
      code: 'otp_invalid',
      message: 'OTP invalid or expired.'
    })
  })

  it('refuses a code after 30 minutes', async () => {
    const { email } = await test.signUp()
    const code = await requestCode(email)
    test.pass(1800)
    expect((await verify(email, code)).body.code).toBe('otp_invalid')
  })

  it('refuses every code after five wrong tries, even the right one', async () => {
    const { email } = await test.signUp()
    const code = await requestCode(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 5; tries += 1) expect((await verify(email, wrong)).status).toBe(400)
    expect((await verify(email, code)).status).toBe(400)
  })

  it('still takes the right code after four wrong tries', async () => {
    const { email } = await test.signUp()
    const code = await requestCode(email)
    const wrong = code === '000000' ? '000001' : '000000'
    for (let tries = 0; tries < 4; tries += 1) await verify(email, wrong)
    expect((await verify(email, code)).status).toBe(200)
  })

  it('does not reveal whether an address has an account', async () => {
    const { email } = await test.signUp()
    const nobody = someEmail()
    test.pass(61)
    const answers = await Promise.all(
      [email, nobody].map((address) => test.send('POST', '/users/signin/otp/request', { body: { email: address } }))
    )
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    const again = await Promise.all(
      [email, nobody].map((address) => test.send('POST', '/users/signin/otp/request', { body: { email: address } }))
    )
    expect(again[0]?.body).toEqual(again[1]?.body)
    expect(again[0]?.body).toMatchObject({ code: 'too_soon', retryAfterSeconds: 60 })
    const tried = await Promise.all([email, nobody].map((address) => verify(address, '999999')))
    expect(tried[0]?.body).toEqual(tried[1]?.body)
    expect(await test.mailsTo(nobody)).toEqual([])
  })

  it('keeps no code in clear, neither waiting nor sent', async () => {
    const { email } = await test.signUp()
    const code = await requestCode(email)
    const { sql } = await import('drizzle-orm')
    const rows = JSON.stringify([
      await test.app.context.db.execute(sql`select * from codes where email = ${email}`),
      await test.app.context.db.execute(sql`select * from jobs`)
    ])
    expect(rows).not.toContain(code)
  })
})

describe('signing in by password', () => {
  it('works with the right one, and answers the same for a wrong one and an unknown address', async () => {
    const { email, password } = await test.signUp()
    expect((await test.send('POST', '/users/signin', { body: { email, password } })).status).toBe(200)
    const wrong = await test.send('POST', '/users/signin', { body: { email, password: 'not the password' } })
    const unknown = await test.send('POST', '/users/signin', { body: { email: someEmail(), password } })
    expect(wrong.body).toEqual({
      statusCode: 401,
      code: 'credentials_invalid',
      message: 'Your email or password is incorrect. Please try again.'
    })
    expect(unknown.body).toEqual(wrong.body)
  })

  it('is set anew by a code, which ends every session', async () => {
    const { email, password, token, refreshToken } = await test.signUp()
    await test.send('POST', '/users/forgot-password', { body: { email } })
    const body = { email, token: await test.codeFor(email), password: 'another password' }
    expect((await test.send('POST', '/users/forgot-password/verify', { body: { ...body, token: 'wrong' } })).body.code).toBe(
      'code_invalid'
    )
    expect((await test.send('POST', '/users/forgot-password/verify', { body })).status).toBe(200)
    expect((await test.send('GET', '/users/profile', { token })).status).toBe(401)
    expect((await test.send('POST', '/users/refresh-token', { body: { refreshToken } })).status).toBe(401)
    expect((await test.send('POST', '/users/signin', { body: { email, password } })).status).toBe(401)
    expect((await test.send('POST', '/users/signin', { body: { email, password: 'another password' } })).status).toBe(200)
    const subjects = (await test.mailsTo(email)).map(({ subject }) => subject)
    expect(subjects.some((subject) => subject.startsWith('Your password was changed'))).toBe(true)
  })
})

describe('a session', () => {
  const profile = (token: string) => test.send('GET', '/users/profile', { token })
  const refresh = (refreshToken: string) => test.send('POST', '/users/refresh-token', { body: { refreshToken } })

  it('has an access token of 30 minutes, changed for another by the refresh token', async () => {
    const customer = await test.signUp()
    test.pass(1799)
    expect((await profile(customer.token)).status).toBe(200)
    test.pass(2)
    expect((await profile(customer.token)).body.code).toBe('unauthorized')
    const pair = await refresh(customer.refreshToken)
    expect((await profile(pair.body.data.token)).status).toBe(200)
  })

  it('gives two tabs the same successor within 30 s', async () => {
    const { refreshToken } = await test.signUp()
    const answers = await Promise.all([1, 2, 3].map(() => refresh(refreshToken)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.data.refreshToken)).size).toBe(1)
    test.pass(29)
    expect((await refresh(refreshToken)).body.data.refreshToken).toBe(answers[0]?.body.data.refreshToken)
  })

  it('ends when a rotated token comes back later: it leaked', async () => {
    const { refreshToken } = await test.signUp()
    const { token, refreshToken: successor } = (await refresh(refreshToken)).body.data
    const next = (await refresh(successor)).body.data.refreshToken
    test.pass(31)
    expect((await refresh(refreshToken)).body.code).toBe('refresh_token_invalid')
    expect((await refresh(next)).status).toBe(401)
    expect((await profile(token)).status).toBe(401)
  })

  it('goes on where the answer of a refresh was lost for up to three minutes, as in a fail-over, and nobody used it', async () => {
    const { refreshToken } = await test.signUp()
    const lost = (await refresh(refreshToken)).body.data.refreshToken
    test.pass(179)
    expect((await refresh(refreshToken)).body.data.refreshToken).toBe(lost)
    test.pass(2)
    expect((await refresh(refreshToken)).body.code).toBe('refresh_token_invalid')
  })

  it('ends at sign-out, for the API and for pages', async () => {
    const { token, refreshToken, cookie } = await test.signUp()
    expect(await test.app.findCustomer(cookie)).toMatchObject({ email: expect.any(String) })
    const answer = await test.send('POST', '/users/signout', { token, body: {} })
    expect(answer.headers.get('set-cookie')).toMatch(/^session=; Max-Age=0; Path=\//)
    expect(await test.app.findCustomer(cookie)).toBeUndefined()
    expect((await profile(token)).status).toBe(401)
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  it('ends after 30 days, whatever happens in between', async () => {
    const { cookie, refreshToken } = await test.signUp()
    test.pass(30 * 86_400 - 1)
    const successor = (await refresh(refreshToken)).body.data.refreshToken
    test.pass(2)
    expect((await refresh(successor)).status).toBe(401)
    expect(await test.app.findCustomer(cookie)).toBeUndefined()
  })

  it('is not made by a forged token, nor by the cookie', async () => {
    const { token, cookie } = await test.signUp()
    const [header, payload] = token.split('.')
    for (const forged of [`${header}.${payload}.AAAA`, `eyJhbGciOiJub25lIn0.${payload}.`, 'x', '']) {
      expect((await profile(forged)).status).toBe(401)
    }
    expect((await test.send('GET', '/users/profile', { headers: { cookie: `session=${cookie}` } })).status).toBe(401)
    expect(await test.app.findCustomer('forged')).toBeUndefined()
  })
})
