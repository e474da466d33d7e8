import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAuthenticator } from '#support/authenticator.ts'
import { LOCAL } from '#support/local.ts'
import { type Customer, createTestApp, PASSWORD, type TestApp } from '#support/testApp.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

const ORIGIN = 'http://localhost'
const now = () => test.app.context.clock().getTime()
const post = (path: string, body: unknown, token?: string, headers?: Record<string, string>) =>
  test.send('POST', path, { body, ...(token && { token }), ...(headers && { headers }) })
const security = async (token: string) => (await test.send('GET', '/users/security', { token })).body.data
const signIn = (email: string, userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') =>
  post('/users/signin', { email, password: PASSWORD }, undefined, { 'user-agent': userAgent })
async function signInByMail(email: string): Promise<string> {
  test.pass(61)
  await post('/users/signin/otp/request', { email })
  return (await post('/users/signin/otp/verify', { email, otp: await test.codeFor(email) })).body.data.token
}
const linkIn = (text: string) => /not-me\?token=([\w.-]+)/.exec(text)?.[1] ?? ''

/** A customer with an authenticator app; `code()` is its code of now. */
async function withTotp(): Promise<Customer & { code: () => string; recoveryCodes: string[] }> {
  const customer = await test.customer()
  const { secret } = (await post('/users/totp/start', {}, customer.token)).body.data
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => totp.generate({ timestamp: now() })
  const enabled = await post('/users/totp', { code: code() }, customer.token)
  expect(enabled.status).toBe(200)
  test.pass(30)
  return { ...customer, code, recoveryCodes: enabled.body.data.recoveryCodes }
}

describe('an authenticator app', () => {
  const restsUntil = async (token: string) => (await security(token)).withdrawals
  it('that takes the place of another lets withdrawals rest, as new recovery codes do; a first one does not', async () => {
    const customer = await withTotp()
    expect(await restsUntil(customer.token)).toMatchObject({ allowed: true })
    const { secret } = (await post('/users/totp/start', {}, customer.token)).body.data
    const other = new TOTP({ secret: Secret.fromBase32(secret) })
    expect((await post('/users/totp', { code: other.generate({ timestamp: now() }) }, customer.token)).status).toBe(200)
    expect(await restsUntil(customer.token)).toMatchObject({ allowed: false, reason: 'resting' })
    const mail = (await test.mailsTo(customer.email)).find(({ text }) => text.includes('takes the place'))
    expect(mail?.text).toContain('24 hours')
    const second = await withTotp()
    expect((await post('/users/totp/recovery-codes', {}, second.token)).status).toBe(200)
    expect(await restsUntil(second.token)).toMatchObject({ allowed: false, reason: 'resting' })
  })

  it('may be asked for as often as the customer likes: only wrong codes count', async () => {
    const customer = await withTotp()
    const keys = ['account', 'account:day'].map((name) => `secondFactor:${name}:${customer.userId}`)
    expect((await post('/users/confirm', { code: '000000' }, customer.token)).status).not.toBe(200)
    for (let count = 0; count < 3; count += 1) {
      test.pass(30)
      expect((await post('/users/confirm', { code: customer.code() }, customer.token)).status).toBe(200)
    }
    const { rows } = (await test.app.context.db.execute(
      sql`select sum(count)::int as count from rate_limits where key like ${`%${keys[1]}%`}`
    )) as unknown as { rows: { count: number }[] }
    expect(rows[0]?.count).toBe(1)
  })
})

describe('sessions', () => {
  it('are listed with when, how and from what; one ends, and all others', async () => {
    const customer = await test.customer()
    const phone = (await signIn(customer.email)).body.data.token
    const laptop = (
      await signIn(customer.email, 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36')
    ).body.data.token
    const { sessions } = await security(customer.token)
    expect(
      sessions.map(({ device, method, isCurrent }: Record<string, unknown>) => ({ device, method, isCurrent })).sort()
    ).toEqual(
      expect.arrayContaining([
        { device: 'Unknown device', method: 'sign_up', isCurrent: true },
        { device: 'Firefox on Linux', method: 'password', isCurrent: false },
        { device: 'Chrome on Windows', method: 'password', isCurrent: false }
      ])
    )
    const { id } = sessions.find(({ device }: { device: string }) => device.startsWith('Firefox'))
    expect((await post(`/users/sessions/${id}/end`, {}, customer.token)).status).toBe(200)
    expect((await test.send('GET', '/users/profile', { token: phone })).status).toBe(401)
    expect((await test.send('GET', '/users/profile', { token: laptop })).status).toBe(200)
    expect((await post(`/users/sessions/${id}/end`, {}, customer.token)).body.code).toBe('session_not_found')
    await post('/users/sessions/end-others', {}, customer.token)
    expect((await test.send('GET', '/users/profile', { token: laptop })).status).toBe(401)
    expect((await security(customer.token)).sessions).toHaveLength(1)
  })

  it('of somebody else cannot be ended', async () => {
    const [mine, theirs] = [await test.customer(), await test.customer()]
    const { id } = (await security(theirs.token)).sessions[0]
    expect(await post(`/users/sessions/${id}/end`, {}, mine.token)).toMatchObject({ status: 404 })
    expect((await test.send('GET', '/users/profile', { token: theirs.token })).status).toBe(200)
  })

  it('say when they were last used', async () => {
    const customer = await test.customer()
    test.pass(1200)
    const { token } = (await post('/users/refresh-token', { refreshToken: customer.refreshToken })).body.data
    const [session] = (await security(token)).sessions
    expect(new Date(session.lastSeenAt).getTime() - new Date(session.createdAt).getTime()).toBe(1_200_000)
  })

  it('a sign-in ends the one that its browser had before', async () => {
    const customer = await test.customer()
    const again = await post('/users/signin', { email: customer.email, password: PASSWORD }, undefined, {
      cookie: `session=${customer.cookie}`
    })
    expect((await test.send('GET', '/users/profile', { token: customer.token })).status).toBe(401)
    expect((await security(again.body.data.token)).sessions).toHaveLength(1)
  })
})

describe('a new sign-in', () => {
  it('sends a mail whose link ends all sessions and locks withdrawals until a new password', async () => {
    const customer = await test.customer()
    const { token } = (await signIn(customer.email)).body.data
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.subject).toMatch(/^New sign-in to your account/)
    expect(mail?.text).toContain('Device: Firefox on Linux')
    const disavowal = linkIn(mail?.text ?? '')
    expect(await post('/users/signin/disavow', { token: disavowal })).toMatchObject({ status: 200 })
    for (const ended of [token, customer.token])
      expect((await test.send('GET', '/users/profile', { token: ended })).status).toBe(401)
    expect((await post('/users/refresh-token', { refreshToken: customer.refreshToken })).status).toBe(401)
    await post('/users/signin/disavow', { token: disavowal })
    const told = (await test.mailsTo(customer.email)).filter(({ subject }) => subject.startsWith('Your account is secured'))
    expect(told).toHaveLength(1)
    // Others may know the password, so it no longer works; a code to the mailbox does.
    expect((await signIn(customer.email)).status).toBe(401)
    const back = await signInByMail(customer.email)
    expect(await post('/users/totp/start', {}, back)).toMatchObject({ status: 403, body: { code: 'account_locked' } })
    expect((await security(back)).withdrawals).toEqual({ allowed: false, reason: 'locked', until: null })

    await post('/users/forgot-password', { email: customer.email })
    await post('/users/forgot-password/verify', {
      email: customer.email,
      token: await test.codeFor(customer.email),
      password: 'an entirely new password'
    })
    const renewed = await post('/users/signin', { email: customer.email, password: 'an entirely new password' })
    const { withdrawals } = await security(renewed.body.data.token)
    expect(withdrawals).toMatchObject({ allowed: false, reason: 'resting' })
    expect(new Date(withdrawals.until).getTime() - now()).toBe(24 * 3_600_000)
    test.pass(24 * 3600 + 1)
    const later = await post('/users/signin', { email: customer.email, password: 'an entirely new password' })
    expect((await security(later.body.data.token)).withdrawals).toEqual({ allowed: true, reason: null, until: null })
    // A link mailed before the new password no longer ends anything.
    expect((await post('/users/signin/disavow', { token: disavowal })).body.code).toBe('link_invalid')
  })

  it('by a thief leaves nothing behind once disavowed: neither passkey nor authenticator app', async () => {
    const customer = await test.customer()
    const thief = (await signIn(customer.email)).body.data.token
    const disavowal = linkIn((await test.mailsTo(customer.email))[0]?.text ?? '')
    const key = createAuthenticator(ORIGIN)
    const options = (await post('/users/passkeys/options', {}, thief, { host: 'localhost' })).body.data
    await post('/users/passkeys', { name: 'Mine now', response: key.create(options) }, thief, { host: 'localhost' })
    const { secret } = (await post('/users/totp/start', {}, thief)).body.data
    await post('/users/totp', { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() }) }, thief)
    expect((await post('/users/signin/disavow', { token: disavowal })).status).toBe(200)
    const answer = key.get((await post('/users/signin/passkey/options', {}, undefined, { host: 'localhost' })).body.data)
    expect((await post('/users/signin/passkey', { response: answer }, undefined, { host: 'localhost' })).body.code).toBe(
      'passkey_invalid'
    )
    const back = await security(await signInByMail(customer.email))
    expect(back).toMatchObject({ passkeys: [], totp: { isEnabled: false, recoveryCodesLeft: 0 } })
  })

  it('that is disavowed weeks later undoes no later change', async () => {
    const customer = await test.customer()
    const { token } = (await signIn(customer.email)).body.data
    const disavowal = linkIn((await test.mailsTo(customer.email))[0]?.text ?? '')
    const { secret } = (await post('/users/totp/start', {}, token)).body.data
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() })
    await post('/users/totp', { code: code() }, token)
    test.pass(10 * 86_400)
    expect((await post('/users/signin/disavow', { token: disavowal })).status).toBe(200)
    await post('/users/signin/otp/request', { email: customer.email })
    const byMail = await post('/users/signin/otp/verify', { email: customer.email, otp: await test.codeFor(customer.email) })
    expect(byMail.body.code).toBe('second_factor_required')
  })

  it('that took the address away gives it back once disavowed', async () => {
    const customer = await test.customer()
    const email = `${randomUUID()}@example.com`
    await post('/users/email', { email }, customer.token)
    const codes = { currentCode: await test.codeFor(customer.email), newCode: await test.codeFor(email) }
    expect((await post('/users/email/verify', { email, ...codes }, customer.token)).status).toBe(200)
    const [mail] = await test.mailsTo(customer.email)
    expect(mail?.subject).toMatch(/^Your email was changed/)
    expect((await post('/users/signin/disavow', { token: linkIn(mail?.text ?? '') })).status).toBe(200)
    const profile = await test.send('GET', '/users/profile', { token: await signInByMail(customer.email) })
    expect(profile.body.data.email).toBe(customer.email)
  })

  it.each([
    ['the mail about the address', 0],
    ['the mail about the sign-in before', 1]
  ])('that took the address and the password away is undone by %s', async (_name, mailNumber) => {
    const customer = await test.customer()
    const thief = (await signIn(customer.email)).body.data.token
    const email = `${randomUUID()}@example.com`
    await post('/users/email', { email }, thief)
    const codes = { currentCode: await test.codeFor(customer.email), newCode: await test.codeFor(email) }
    const changed = await post('/users/email/verify', { email, ...codes }, thief)
    expect(changed.status).toBe(200)
    test.pass(61)
    await post('/users/forgot-password', { email })
    const reset = { email, token: await test.codeFor(email), password: 'the password of a thief' }
    expect((await post('/users/forgot-password/verify', reset)).status).toBe(200)

    const links = (await test.mailsTo(customer.email)).map(({ text }) => linkIn(text ?? '')).filter(Boolean)
    expect((await post('/users/signin/disavow', { token: links[mailNumber] })).status).toBe(200)
    expect((await post('/users/signin', { email, password: 'the password of a thief' })).status).toBe(401)
    const back = await signInByMail(customer.email)
    expect((await security(back)).withdrawals.reason).toBe('locked')
    expect((await test.send('GET', '/users/profile', { token: back })).body.data.email).toBe(customer.email)
    // The link in the thief's mailbox gives no way back in: the owner keeps the account.
    const theirs = (await test.mailsTo(email)).map(({ text }) => linkIn(text ?? '')).find(Boolean)
    expect((await post('/users/forgot-password', { email })).status).toBe(200)
    expect((await post('/users/signin/disavow', { token: theirs })).status).toBe(200)
    expect((await test.send('GET', '/users/profile', { token: await signInByMail(customer.email) })).body.data.email).toBe(
      customer.email
    )
  })

  it('once disavowed, makes recovery codes created meanwhile useless', async () => {
    const customer = await withTotp()
    const { ticket } = (await signIn(customer.email)).body
    const thief = (await post('/users/signin/second-factor', { ticket, code: customer.code() })).body.data.token
    const disavowal = linkIn((await test.mailsTo(customer.email))[0]?.text ?? '')
    test.pass(30)
    const [stolen] = (await post('/users/totp/recovery-codes', {}, thief)).body.data.recoveryCodes
    expect((await post('/users/signin/disavow', { token: disavowal })).status).toBe(200)
    await post('/users/signin/otp/request', { email: customer.email })
    const again = await post('/users/signin/otp/verify', { email: customer.email, otp: await test.codeFor(customer.email) })
    const enter = (code: string) => post('/users/signin/second-factor', { ticket: again.body.ticket, code })
    expect((await enter(stolen)).body.code).toBe('second_factor_invalid')
    test.pass(30)
    expect((await enter(customer.code())).status).toBe(200)
  })

  it('once disavowed, refuses a change whose body was still on its way', async () => {
    const customer = await test.customer()
    const { token } = (await signIn(customer.email)).body.data
    const disavowal = linkIn((await test.mailsTo(customer.email))[0]?.text ?? '')
    const { secret } = (await post('/users/totp/start', {}, token)).body.data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() })
    const text = new TextEncoder().encode(JSON.stringify({ code }))
    const body = new ReadableStream({
      pull: async (controller) => {
        expect((await post('/users/signin/disavow', { token: disavowal })).status).toBe(200)
        controller.enqueue(text)
        controller.close()
      }
    })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': `${text.length}` }
    const request = new Request('http://localhost/v1/users/totp', {
      method: 'POST',
      headers,
      body,
      duplex: 'half'
    } as RequestInit)
    const answer = await test.app.api.fetch(request, LOCAL)
    expect(answer.status).toBe(401)
    expect((await security(await signInByMail(customer.email))).totp.isEnabled).toBe(false)
  })

  it('says nothing in its mail that a caller wrote', async () => {
    const customer = await test.customer()
    await signIn(customer.email, 'Planned maintenance, call 0800 123 <b>now</b>')
    expect((await test.mailsTo(customer.email))[0]?.text).toContain('Device: Unknown device')
  })

  it.each(['', 'x', 'a.b.c'])('cannot be disavowed with "%s"', async (token) => {
    expect((await post('/users/signin/disavow', { token })).status).toBeGreaterThanOrEqual(400)
  })

  it('cannot be disavowed with an access token, nor a month later', async () => {
    const customer = await test.customer()
    expect((await post('/users/signin/disavow', { token: customer.token })).body.code).toBe('link_invalid')
    await signIn(customer.email)
    const link = linkIn((await test.mailsTo(customer.email))[0]?.text ?? '')
    test.pass(31 * 86_400)
    expect((await post('/users/signin/disavow', { token: link })).body.code).toBe('link_invalid')
  })
})

describe('a password', () => {
  it('changed while somebody signs in with it lets nobody in', async () => {
    const customer = await test.customer()
    await post('/users/forgot-password', { email: customer.email })
    const token = await test.codeFor(customer.email)
    const reset = post('/users/forgot-password/verify', { email: customer.email, token, password: 'an entirely new password' })
    const tried = await Promise.all([...Array.from({ length: 8 }, () => signIn(customer.email)), reset])
    for (const { body } of tried)
      if (body.data?.token) expect((await test.send('GET', '/users/profile', { token: body.data.token })).status).toBe(401)
  })
})

describe('what concerns security', () => {
  it('asks once more who it is when the sign-in was more than ten minutes ago; a code to the address will do', async () => {
    const customer = await test.customer()
    test.pass(601)
    expect(await post('/users/totp/start', {}, customer.token)).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required', message: 'Please confirm that it’s you.' }
    })
    const asked = await post('/users/confirm/request', {}, customer.token)
    expect(asked.body.data).toEqual({ method: 'email', hasPasskey: false, retryAfterSeconds: 60 })
    const code = await test.codeFor(customer.email)
    expect((await post('/users/confirm/request', {}, customer.token)).status).toBe(200)
    const wrong = code === '000000' ? '000001' : '000000'
    expect((await post('/users/confirm', { code: wrong }, customer.token)).body.code).toBe('otp_invalid')
    expect((await post('/users/confirm', { code }, customer.token)).status).toBe(200)
    expect((await post('/users/totp/start', {}, customer.token)).status).toBe(200)
    expect((await post('/users/confirm', { code }, customer.token)).body.code).toBe('otp_invalid')
  })

  it('is confirmed for one session only', async () => {
    const customer = await test.customer()
    const other = (await signIn(customer.email)).body.data.token
    test.pass(601)
    await post('/users/confirm/request', {}, customer.token)
    await post('/users/confirm', { code: await test.codeFor(customer.email) }, customer.token)
    expect((await post('/users/totp/start', {}, customer.token)).status).toBe(200)
    expect((await post('/users/totp/start', {}, other)).status).toBe(403)
  })
})

describe('an authenticator app', () => {
  it('is asked for after the password and after the code by mail', async () => {
    const customer = await withTotp()
    const first = await signIn(customer.email)
    expect(first).toMatchObject({ status: 401, body: { code: 'second_factor_required', ticket: expect.any(String) } })
    expect(first.headers.getSetCookie().join()).not.toContain('session=')
    const signedIn = await post('/users/signin/second-factor', { ticket: first.body.ticket, code: customer.code() })
    expect(signedIn.status).toBe(200)
    expect((await test.send('GET', '/users/profile', { token: signedIn.body.data.token })).status).toBe(200)
    expect((await post('/users/signin/second-factor', { ticket: first.body.ticket, code: customer.code() })).body.code).toBe(
      'ticket_invalid'
    )
    test.pass(61)
    await post('/users/signin/otp/request', { email: customer.email })
    const byMail = await post('/users/signin/otp/verify', { email: customer.email, otp: await test.codeFor(customer.email) })
    expect(byMail.body.code).toBe('second_factor_required')
  })

  it('takes no code twice, not even in another sign-in', async () => {
    const customer = await withTotp()
    const [one, two] = [(await signIn(customer.email)).body.ticket, (await signIn(customer.email)).body.ticket]
    const code = customer.code()
    expect((await post('/users/signin/second-factor', { ticket: one, code })).status).toBe(200)
    expect((await post('/users/signin/second-factor', { ticket: two, code })).body.code).toBe('second_factor_invalid')
    test.pass(30)
    expect((await post('/users/signin/second-factor', { ticket: two, code: customer.code() })).status).toBe(200)
  })

  it('gives a ticket five tries and five minutes', async () => {
    const customer = await withTotp()
    const { ticket } = (await signIn(customer.email)).body
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await post('/users/signin/second-factor', { ticket, code: 'AAAAA-AAAAA' })).body.code).toBe('second_factor_invalid')
    expect((await post('/users/signin/second-factor', { ticket, code: customer.code() })).body.code).toBe('ticket_invalid')
    const second = (await signIn(customer.email)).body.ticket
    test.pass(301)
    expect((await post('/users/signin/second-factor', { ticket: second, code: customer.code() })).body.code).toBe(
      'ticket_invalid'
    )
  })

  it('refuses a sign-in begun with an old password', async () => {
    const customer = await withTotp()
    const { ticket } = (await signIn(customer.email)).body
    await post('/users/forgot-password', { email: customer.email })
    const token = await test.codeFor(customer.email)
    await post('/users/forgot-password/verify', { email: customer.email, token, password: 'an entirely new password' })
    expect((await post('/users/signin/second-factor', { ticket, code: customer.code() })).body.code).toBe('ticket_invalid')
  })

  it('has ten recovery codes, each good once, however it is typed', async () => {
    const customer = await withTotp()
    expect(customer.recoveryCodes).toHaveLength(10)
    const [recovery = ''] = customer.recoveryCodes
    const use = async (code: string) =>
      post('/users/signin/second-factor', { ticket: (await signIn(customer.email)).body.ticket, code })
    const back = await use(` ${recovery.toLowerCase().replace('-', ' ')} `)
    expect(back.status).toBe(200)
    expect((await use(recovery)).body.code).toBe('second_factor_invalid')
    expect((await security(back.body.data.token)).totp).toEqual({ isEnabled: true, recoveryCodesLeft: 9 })
    const renewed = (await post('/users/totp/recovery-codes', {}, back.body.data.token)).body.data.recoveryCodes
    expect((await use(customer.recoveryCodes[1] ?? '')).body.code).toBe('second_factor_invalid')
    expect((await use(renewed[0])).status).toBe(200)
    const told = (await test.mailsTo(customer.email)).some(({ subject }) => subject.startsWith('New recovery codes'))
    expect(told).toBe(true)
  })

  it('confirms instead of the mail, and can be taken off', async () => {
    const customer = await withTotp()
    test.pass(601)
    expect((await post('/users/totp/disable', {}, customer.token)).body.code).toBe('confirmation_required')
    expect((await post('/users/confirm/request', {}, customer.token)).body.data.method).toBe('totp')
    expect((await post('/users/confirm', { code: customer.code() }, customer.token)).status).toBe(200)
    expect((await post('/users/totp/disable', {}, customer.token)).status).toBe(200)
    expect((await signIn(customer.email)).status).toBe(200)
    expect((await test.mailsTo(customer.email)).some(({ subject }) => subject.startsWith('Authenticator app removed'))).toBe(true)
  })

  it('is on only after its first code, and its secret is kept sealed', async () => {
    const customer = await test.customer()
    expect((await post('/users/totp', { code: '123456' }, customer.token)).body.code).toBe('totp_not_started')
    const { secret, uri } = (await post('/users/totp/start', {}, customer.token)).body.data
    expect(uri).toContain(`secret=${secret}`)
    expect((await post('/users/totp', { code: '000000' }, customer.token)).body.fields).toEqual({ code: 'totp_wrong' })
    expect((await signIn(customer.email)).status).toBe(200)
    const { users } = await import('#lib/server/access/schema.ts')
    const rows = await test.app.context.db.select({ totpPending: users.totpPending }).from(users)
    expect(JSON.stringify(rows)).not.toContain(secret)
  })
})

describe('a passkey', () => {
  async function withPasskey() {
    const customer = await test.customer()
    const key = createAuthenticator(ORIGIN)
    const options = (await post('/users/passkeys/options', {}, customer.token, { host: 'localhost' })).body.data
    const response = key.create(options)
    const added = await post('/users/passkeys', { name: ' Phone ', response }, customer.token, { host: 'localhost' })
    return { customer, key, added, response }
  }
  const ask = async () => (await post('/users/signin/passkey/options', {}, undefined, { host: 'localhost' })).body.data
  const enter = (response: unknown) => post('/users/signin/passkey', { response }, undefined, { host: 'localhost' })

  it('is added, signs in, and is reported by mail', async () => {
    const { customer, key, added } = await withPasskey()
    expect(added.status).toBe(200)
    expect((await test.mailsTo(customer.email)).some(({ subject }) => subject.startsWith('Passkey added'))).toBe(true)
    const answer = await enter(key.get(await ask()))
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie().join()).toContain('session=')
    const { passkeys, sessions } = await security(answer.body.data.token)
    expect(passkeys).toMatchObject([{ name: 'Phone', lastUsedAt: expect.any(String) }])
    expect(sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).method).toBe('passkey')
  })

  it('signs in past the authenticator app: it is both factors', async () => {
    const { customer, key } = await withPasskey()
    const { secret } = (await post('/users/totp/start', {}, customer.token)).body.data
    await post(
      '/users/totp',
      { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() }) },
      customer.token
    )
    expect((await enter(key.get(await ask()))).status).toBe(200)
  })

  it('answers a challenge once, in time, and for its own site', async () => {
    const { key } = await withPasskey()
    const answer = key.get(await ask())
    expect((await enter(answer)).status).toBe(200)
    expect((await enter(answer)).body.code).toBe('passkey_invalid')
    const late = key.get(await ask())
    test.pass(301)
    expect((await enter(late)).body.code).toBe('passkey_invalid')
    expect((await enter(key.get({ challenge: 'bWFkZSB1cA' }))).body.code).toBe('passkey_invalid')
    const elsewhere = await post('/users/signin/passkey', { response: key.get(await ask()) }, undefined, { host: 'evil.example' })
    expect(elsewhere.body.code).toBe('passkey_invalid')
    expect((await enter(key.get(await ask(), { verified: false }))).body.code).toBe('passkey_invalid')
    expect((await enter(createAuthenticator(ORIGIN).get(await ask()))).body.code).toBe('passkey_invalid')
  })

  it('whose counter went back is a copy and signs nobody in', async () => {
    const { customer, key } = await withPasskey()
    await enter(key.get(await ask()))
    const { passkeys } = await import('#lib/server/access/schema.ts')
    const { eq } = await import('drizzle-orm')
    await test.app.context.db.update(passkeys).set({ counter: 99 }).where(eq(passkeys.userId, customer.userId))
    expect((await enter(key.get(await ask()))).body.code).toBe('passkey_invalid')
  })

  it('confirms, for its own customer only', async () => {
    const { customer, key } = await withPasskey()
    const other = await test.customer()
    test.pass(601)
    const options = async (token: string) =>
      (await post('/users/confirm/passkey/options', {}, token, { host: 'localhost' })).body.data
    const foreign = { response: key.get(await options(other.token)) }
    expect((await post('/users/confirm/passkey', foreign, other.token, { host: 'localhost' })).body.code).toBe('passkey_invalid')
    const own = { response: key.get(await options(customer.token)) }
    expect((await post('/users/confirm/passkey', own, customer.token, { host: 'localhost' })).status).toBe(200)
    expect((await post('/users/totp/start', {}, customer.token)).status).toBe(200)
  })

  it('that names certificates is not taken: checking them would fetch what they name', async () => {
    const customer = await test.customer()
    const options = (await post('/users/passkeys/options', {}, customer.token, { host: 'localhost' })).body.data
    const response = createAuthenticator(ORIGIN).create(options)
    // CBOR: replaces `fmt: 'none'` by `fmt: 'android-key'`.
    const plain = Buffer.from(response.response.attestationObject, 'base64url').toString('hex')
    const named = plain.replace('646e6f6e65', `6b${Buffer.from('android-key').toString('hex')}`)
    response.response.attestationObject = Buffer.from(named, 'hex').toString('base64url')
    const answer = await post('/users/passkeys', { name: 'Phone', response }, customer.token, { host: 'localhost' })
    expect(answer.body.code).toBe('passkey_invalid')
  })

  it('is not added twice, nor with an answer to something else; it is removed by its owner alone', async () => {
    const { customer, key, response } = await withPasskey()
    expect((await post('/users/passkeys', { name: 'Again', response }, customer.token, { host: 'localhost' })).body.code).toBe(
      'passkey_invalid'
    )
    const { id } = (await security(customer.token)).passkeys[0]
    const other = await test.customer()
    expect((await post(`/users/passkeys/${id}/remove`, {}, other.token)).body.code).toBe('passkey_not_found')
    expect((await post(`/users/passkeys/${id}/remove`, {}, customer.token)).status).toBe(200)
    expect((await enter(key.get(await ask()))).body.code).toBe('passkey_invalid')
  })
})

describe('the profile', () => {
  it('changes name and phone, each with its rule', async () => {
    const customer = await test.customer()
    const change = (body: object) => test.send('PATCH', '/users/profile', { body, token: customer.token })
    expect((await change({ name: '  ada lovelace ', phone: ' +44 20 7946 0000 ' })).status).toBe(200)
    const profile = (await test.send('GET', '/users/profile', { token: customer.token })).body.data
    expect(profile).toMatchObject({ name: 'ada lovelace', phone: '+44 20 7946 0000' })
    expect((await change({ name: 'x'.repeat(81) })).body.fields).toEqual({ name: 'name_long' })
    expect((await change({ phone: '' })).body.fields).toEqual({ phone: 'phone_required' })
    await change({ name: '' })
    expect((await test.send('GET', '/users/profile', { token: customer.token })).body.data.name).toBeNull()
  })

  it('changes the address when both owners agree, not before', async () => {
    const customer = await test.customer()
    const email = `${randomUUID()}@example.com`
    expect((await post('/users/email', { email: customer.email }, customer.token)).body.fields).toEqual({ email: 'email_same' })
    expect((await post('/users/email', { email }, customer.token)).status).toBe(200)
    const [currentCode, newCode] = [await test.codeFor(customer.email), await test.codeFor(email)]
    const wrong = (code: string) => (code === '000000' ? '000001' : '000000')
    const verify = (body: object) => post('/users/email/verify', { email, currentCode, newCode, ...body }, customer.token)
    expect((await verify({ currentCode: wrong(currentCode) })).body.fields).toEqual({ currentCode: 'code_wrong' })
    expect((await verify({ newCode: wrong(newCode) })).body.fields).toHaveProperty('newCode')
    const other = await test.customer()
    expect((await post('/users/email/verify', { email, currentCode, newCode }, other.token)).status).toBe(422)
    expect((await verify({})).status).toBe(200)
    expect((await test.send('GET', '/users/profile', { token: customer.token })).body.data.email).toBe(email)
    expect((await signIn(email)).status).toBe(200)
    expect((await signIn(customer.email)).status).toBe(401)
    expect((await test.mailsTo(customer.email))[0]?.subject).toMatch(/^Your email was changed/)
  })

  it('does not tell whether the new address has an account', async () => {
    const [customer, other] = [await test.customer(), await test.customer()]
    expect((await post('/users/email', { email: other.email }, customer.token)).status).toBe(200)
    expect((await test.mailsTo(other.email))[0]?.subject).toMatch(/^You already have an account/)
  })
})
