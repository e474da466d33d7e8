import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createChangeEmail } from '#lib/client/access/changeEmail.ts'
import { createEditProfile } from '#lib/client/access/editProfile.ts'
import { PasskeyDeclinedError } from '#lib/client/access/passkey.ts'
import { signInWithPasskey } from '#lib/client/access/passkeySignIn.ts'
import { createPasswordSignIn } from '#lib/client/access/passwordSignIn.ts'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { createResetPassword } from '#lib/client/access/resetPassword.ts'
import { createSecondFactor } from '#lib/client/access/secondFactor.ts'
import { createSecurity } from '#lib/client/access/security.ts'
import { createSignIn } from '#lib/client/access/signIn.ts'
import { createVerifyIdentity } from '#lib/client/identity/verifyIdentity.ts'
import { session, startSession } from '#lib/client/platform/session.ts'
import { createAuthenticator } from '#support/authenticator.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'
import { PASSWORD } from '#support/testApp.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

const now = () => test.app.context.clock().getTime()
const totpOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() })

async function signIn(options = {}) {
  const customer = await test.signUp(options)
  startSession(customer)
  return customer
}
const profileOf = async (token: string) => (await test.send('GET', '/users/profile', { token })).body.data
const securityOf = async (token: string) => (await test.send('GET', '/users/security', { token })).body.data

describe('signing in with a password', () => {
  const outcome = () => ({ onSignedIn: vi.fn(), onSecondFactor: vi.fn() })

  it('does nothing without email or password, says what is wrong, and keeps what was typed', async () => {
    const { email } = await test.signUp()
    const screen = createPasswordSignIn(outcome())
    await screen.submit(email)
    screen.type('password', 'wrong password')
    await screen.submit('')
    expect(test.asked).toEqual([])
    await screen.submit(email)
    expect(screen.state.get()).toMatchObject({
      fields: { password: 'wrong password' },
      errors: { password: 'Your email or password is incorrect. Please try again.' },
      busy: undefined
    })
    test.breakNext('unreachable')
    await screen.submit(email)
    expect(screen.state.get().errors.password).toBe('Login failed. Please check your credentials and try again.')
  })

  it('opens the session', async () => {
    const { email } = await test.signUp()
    const done = outcome()
    const screen = createPasswordSignIn(done)
    screen.type('password', PASSWORD)
    await Promise.all([screen.submit(` ${email.toUpperCase()} `), screen.submit(email)])
    expect(done.onSignedIn).toHaveBeenCalledOnce()
    expect(session.get()?.user.email).toBe(email)
  })

  it('is a way from the start, and Back leads there', () => {
    const screen = createSignIn(now)
    screen.type('email', 'ada@example.com')
    screen.withPassword()
    expect(screen.state.get()).toMatchObject({ step: 'password', fields: { email: 'ada@example.com' } })
    screen.type('email', 'ada@example.org')
    screen.back()
    expect(screen.state.get()).toMatchObject({ step: 'email', fields: { email: 'ada@example.org' } })
  })
})

describe('devices and sessions', () => {
  it('are ended one by one or all at once, and a failure is said', async () => {
    const { email, token } = await signIn()
    const security = createSecurity(createReauthentication())
    for (let count = 0; count < 3; count += 1) await test.send('POST', '/users/signin', { body: { email, password: PASSWORD } })
    const others = async () =>
      ((await securityOf(token)).sessions as { id: string; isCurrent: boolean }[]).filter((one) => !one.isCurrent)
    const [first] = await others()
    test.breakNext('unreachable')
    await security.endSession(first?.id ?? '')
    expect(test.said()).toEqual(['Something went wrong'])
    expect(await others()).toHaveLength(3)
    await Promise.all([security.endSession(first?.id ?? ''), security.endSession(first?.id ?? '')])
    expect(test.said()).toEqual(['The session was ended.'])
    expect(await others()).toHaveLength(2)
    await security.endOthers()
    expect(test.said()).toEqual(['All other sessions were ended.'])
    expect(await others()).toEqual([])
    expect(security.state.get().busy).toBeUndefined()
  })
})

describe('a second factor', () => {
  async function withTotp() {
    const customer = await signIn()
    const confirmation = createReauthentication()
    const security = createSecurity(confirmation)
    await security.startTotp()
    const { setup } = security.state.get()
    security.type('code', totpOf(setup?.secret ?? ''))
    await security.enableTotp()
    const { recoveryCodes } = security.state.get()
    test.reset()
    test.pass(30)
    return { ...customer, secret: setup?.secret ?? '', recoveryCodes }
  }
  async function ticketFor(email: string) {
    const onSecondFactor = vi.fn()
    const screen = createPasswordSignIn({ onSignedIn: vi.fn(), onSecondFactor })
    screen.type('password', PASSWORD)
    await screen.submit(email)
    return onSecondFactor.mock.calls[0]?.[0] as string
  }

  it('is asked for after the code by mail, and six digits are submitted automatically', async () => {
    const { email, secret } = await withTotp()
    const start = createSignIn(now)
    start.type('email', email)
    await start.next()
    start.type('otp', await test.codeFor(email))
    await vi.waitFor(() => expect(start.state.get().step).toBe('secondFactor'))
    const onSignedIn = vi.fn()
    const screen = createSecondFactor(start.state.get().ticket, { onSignedIn, onTooLate: vi.fn() })
    const code = totpOf(secret)
    screen.type('code', `${code.slice(0, 3)} ${code.slice(3)}`)
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce())
    expect(session.get()?.user.email).toBe(email)
  })

  it('has new recovery codes; the old ones no longer work', async () => {
    const { email, recoveryCodes, ...pair } = await withTotp()
    startSession(pair)
    const security = createSecurity(createReauthentication())
    await security.renewRecoveryCodes()
    const { dialog, recoveryCodes: renewed } = security.state.get()
    expect([dialog, renewed.length]).toEqual(['recoveryCodes', 10])
    security.close()
    expect(security.state.get().recoveryCodes).toEqual([])
    const onSignedIn = vi.fn()
    const enter = createSecondFactor(await ticketFor(email), { onSignedIn, onTooLate: vi.fn() })
    enter.toggleRecovery()
    enter.type('code', recoveryCodes[0] ?? '')
    await enter.submit()
    expect(onSignedIn).not.toHaveBeenCalled()
    enter.type('code', renewed[0] ?? '')
    await enter.submit()
    expect(onSignedIn).toHaveBeenCalledOnce()
  })

  it('takes a recovery code, says what is wrong, and leads back when it is too late', async () => {
    const { email, recoveryCodes } = await withTotp()
    const onTooLate = vi.fn()
    const screen = createSecondFactor(await ticketFor(email), { onSignedIn: vi.fn(), onTooLate })
    screen.toggleRecovery()
    screen.type('code', 'AAAAA-AAAAA')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({
      fields: { code: 'AAAAA-AAAAA' },
      errors: { code: 'This code is wrong or was used before. Please wait for the next one.' }
    })
    test.pass(301)
    await screen.submit()
    expect(onTooLate).toHaveBeenCalledWith('That took too long, or too many codes were wrong. Please sign in again.')
    const onSignedIn = vi.fn()
    const again = createSecondFactor(await ticketFor(email), { onSignedIn, onTooLate })
    again.toggleRecovery()
    again.type('code', recoveryCodes[0] ?? '')
    await again.submit()
    expect(onSignedIn).toHaveBeenCalledOnce()
  })

  it('is turned on with the first code of the app, which may be mended; off again after confirming', async () => {
    const customer = await signIn()
    const confirmation = createReauthentication()
    const security = createSecurity(confirmation)
    await security.startTotp()
    const { setup } = security.state.get()
    security.type('code', '000000')
    await security.enableTotp()
    expect(security.state.get()).toMatchObject({
      dialog: 'totp',
      fields: { code: '000000' },
      errors: { code: expect.stringContaining('wrong') }
    })
    security.type('code', totpOf(setup?.secret ?? ''))
    await security.enableTotp()
    expect(security.state.get()).toMatchObject({ dialog: 'recoveryCodes', setup: undefined })
    expect(security.state.get().recoveryCodes).toHaveLength(10)
    security.close()
    expect(security.state.get().recoveryCodes).toEqual([])
    test.pass(630)
    const turning = security.disableTotp()
    await vi.waitFor(() => expect(confirmation.state.get()).toMatchObject({ isOpen: true, method: 'totp' }))
    confirmation.type('code', totpOf(setup?.secret ?? ''))
    await turning
    expect(confirmation.state.get().isOpen).toBe(false)
    expect((await securityOf(customer.token)).totp.isEnabled).toBe(false)
  })
})

describe('a new password', () => {
  it('asks for what is missing, in the words of the specification', async () => {
    const screen = createResetPassword(vi.fn())
    screen.open('')
    await screen.proceed()
    expect(screen.state.get().errors).toEqual({ email: 'Please enter your email', password: 'Please enter your new password' })
    screen.type('email', 'ada@')
    screen.type('password', 'short')
    await screen.proceed()
    expect(screen.state.get().errors).toEqual({
      email: 'Email format is invalid',
      password: 'Password must be at least 8 characters'
    })
    expect(test.asked).toEqual([])
  })

  it('goes by two dialogs, and what was typed stays until it counts', async () => {
    const { email } = await test.signUp()
    const onChanged = vi.fn()
    const screen = createResetPassword(onChanged)
    screen.open(email.toUpperCase())
    expect(screen.state.get()).toMatchObject({ step: 'password', fields: { email }, isKnown: true })
    screen.type('password', 'a brand new password')
    test.breakNext('unreachable')
    await screen.proceed()
    expect(test.said()).toEqual(['Failed to send verification email'])
    await screen.proceed()
    expect(test.said()).toEqual(['Please check your email to get the verification code'])
    await screen.confirm()
    expect(screen.state.get()).toMatchObject({ step: 'code', errors: { code: 'Please enter the verification code' } })
    const code = await test.codeFor(email)
    screen.type('code', code === '000000' ? '000001' : '000000')
    await screen.confirm()
    expect(screen.state.get().errors.code).toBe('The code is invalid or expired. Please request a new one.')
    screen.type('code', ` ${code} `)
    test.breakNext('unreachable')
    await screen.confirm()
    expect(screen.state.get()).toMatchObject({ fields: { code }, errors: { code: 'Verification failed' } })
    await screen.confirm()
    expect(onChanged).toHaveBeenCalledOnce()
    expect(screen.state.get()).toMatchObject({ step: 'closed', fields: { password: '', code: '' } })
    expect((await test.send('POST', '/users/signin', { body: { email, password: 'a brand new password' } })).status).toBe(200)
  })

  it('asked for twice within a minute says how long to wait', async () => {
    const { email } = await test.signUp()
    const screen = createResetPassword(vi.fn())
    screen.open(email)
    screen.type('password', 'a brand new password')
    await screen.proceed()
    screen.open(email)
    screen.type('password', 'a brand new password')
    await screen.proceed()
    expect(test.said().at(-1)).toBe('Please wait 1 minute before requesting another code.')
  })
})

describe('a passkey', () => {
  const key = createAuthenticator('http://localhost')
  const make = async (options: object) => key.create(options as { challenge: string })
  const ask = async (options: object) => key.get(options as { challenge: string })
  const decline = () => Promise.reject(new PasskeyDeclinedError())

  it('is added under a name, signs in, confirms, and is removed', async () => {
    vi.stubGlobal('window', { PublicKeyCredential: () => undefined })
    const customer = await signIn()
    const confirmation = createReauthentication(ask)
    const security = createSecurity(confirmation, make)
    security.openPasskey()
    await security.addPasskey()
    expect(security.state.get().errors.passkeyName).toBe('Please enter a name for this passkey')
    security.type('passkeyName', 'My phone')
    await security.addPasskey()
    expect(security.state.get().dialog).toBeUndefined()
    expect(test.said()).toEqual(['Your passkey was added.'])
    expect(await signInWithPasskey(ask)).toBe(true)
    expect(session.get()?.user.email).toBe(customer.email)
    test.pass(601)
    const { passkeys } = await securityOf(session.get()?.token ?? '')
    const removing = security.removePasskey(passkeys[0].id)
    await vi.waitFor(() => expect(confirmation.state.get()).toMatchObject({ isOpen: true, hasPasskey: true }))
    await confirmation.withPasskey()
    await removing
    expect((await securityOf(session.get()?.token ?? '')).passkeys).toEqual([])
    vi.unstubAllGlobals()
  })

  it('that the customer declines to use changes nothing and shows nothing', async () => {
    await signIn()
    expect(await signInWithPasskey(decline)).toBeUndefined()
    const security = createSecurity(createReauthentication(), decline)
    security.type('passkeyName', 'My phone')
    await security.addPasskey()
    expect(test.said()).toEqual([])
    expect(security.state.get().fields.passkeyName).toBe('My phone')
    expect(security.state.get().busy).toBeUndefined()
  })

  it('that the server does not know says to sign in another way', async () => {
    const stranger = createAuthenticator('http://localhost')
    expect(await signInWithPasskey(async (options) => stranger.get(options as { challenge: string }))).toBe(
      'This passkey could not be used. Please sign in another way.'
    )
  })
})

describe('confirming', () => {
  it('by a code to the address goes on with what was under way; declining leaves everything', async () => {
    const customer = await signIn()
    test.pass(601)
    const confirmation = createReauthentication()
    const security = createSecurity(confirmation)
    const declined = security.startTotp()
    await vi.waitFor(() => expect(confirmation.state.get().isOpen).toBe(true))
    confirmation.close()
    await declined
    expect(security.state.get().dialog).toBeUndefined()
    expect(security.state.get().busy).toBeUndefined()
    const starting = security.startTotp()
    await vi.waitFor(() => expect(confirmation.state.get()).toMatchObject({ isOpen: true, method: 'email' }))
    const code = await test.codeFor(customer.email)
    confirmation.type('code', code === '000000' ? '000001' : '000000')
    await vi.waitFor(() => expect(confirmation.state.get().errors.code).toBe('OTP invalid or expired.'))
    confirmation.type('code', code)
    await starting
    expect(security.state.get()).toMatchObject({ dialog: 'totp', setup: { secret: expect.any(String) } })
    expect(test.said()).toEqual([])
  })
})

describe('the profile', () => {
  it('changes name and phone; what is wrong is said at the field', async () => {
    const { token } = await signIn()
    const screen = createEditProfile()
    screen.open({ name: '', phone: '+43 660 1234567' })
    screen.type('phone', 'none')
    screen.type('name', '<b>')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({
      isOpen: true,
      errors: { name: 'Name contains characters that are not allowed', phone: 'Phone number is invalid' }
    })
    screen.type('name', 'Ada King')
    screen.type('phone', '+44 20 7946 0000')
    test.breakNext('unreachable')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({ isOpen: true, fields: { name: 'Ada King' } })
    await screen.submit()
    expect(screen.state.get().isOpen).toBe(false)
    expect(await profileOf(token)).toMatchObject({ name: 'Ada King', phone: '+44 20 7946 0000' })
  })

  it('changes the address by both codes, and the session goes on under it', async () => {
    const customer = await signIn()
    const screen = createChangeEmail(createReauthentication())
    const email = `${randomUUID()}@example.com`
    screen.open()
    screen.type('email', 'nonsense')
    await screen.request()
    expect(screen.state.get().errors).toEqual({ email: 'Email format is invalid' })
    screen.type('email', customer.email)
    await screen.request()
    expect(screen.state.get().errors).toEqual({ email: 'This is your email already' })
    screen.type('email', ` ${email} `)
    await screen.request()
    expect(screen.state.get().step).toBe('codes')
    screen.back()
    expect(screen.state.get()).toMatchObject({ step: 'email', fields: { email } })
    test.pass(60)
    await screen.request()
    await screen.confirm()
    expect(Object.keys(screen.state.get().errors)).toEqual(['currentCode', 'newCode'])
    screen.type('currentCode', await test.codeFor(customer.email))
    const code = await test.codeFor(email)
    screen.type('newCode', code === '000000' ? '000001' : '000000')
    await screen.confirm()
    expect(screen.state.get().errors).toEqual({ newCode: 'The code is invalid or expired. Please request a new one.' })
    screen.type('newCode', code)
    await screen.confirm()
    expect(screen.state.get().step).toBe('closed')
    expect(session.get()?.user.email).toBe(email)
  })
})

describe('a confirmation by mail', () => {
  it('can have its code sent again after a minute, and goes on with what was under way', async () => {
    const customer = await signIn()
    test.pass(601)
    const confirmation = createReauthentication(undefined, now)
    const security = createSecurity(confirmation)
    const starting = security.startTotp()
    await vi.waitFor(() => expect(confirmation.state.get().isOpen).toBe(true))
    const first = await test.codeFor(customer.email)
    await confirmation.resend()
    expect(test.said()).toEqual([])
    test.pass(60)
    await confirmation.resend()
    expect(test.said()).toEqual(['OTP has been sent to your email.'])
    const second = await test.codeFor(customer.email)
    if (first !== second) {
      confirmation.type('code', first)
      await vi.waitFor(() => expect(confirmation.state.get().errors.code).toBe('OTP invalid or expired.'))
      confirmation.type('code', '')
    }
    confirmation.type('code', second)
    await starting
    expect(security.state.get().dialog).toBe('totp')
  })
})

describe('the identity check', () => {
  it('gives one link for as long as it works, and notices that the check was completed', async () => {
    const customer = await signIn({ unverified: true })
    const onStatus = vi.fn()
    const screen = createVerifyIdentity(onStatus, now)
    await screen.load()
    const { url } = screen.state.get()
    expect(url).toMatch(/^http:\/\/wallet\.test\/sandbox\/identity\//)
    const other = createVerifyIdentity(onStatus, now)
    await other.load()
    expect(other.state.get().url).toBe(url)
    expect(test.asked).toHaveLength(1)
    await screen.look()
    expect(onStatus).not.toHaveBeenCalled()
    test.pass(1600)
    test.asked.length = 0
    await Promise.all([screen.look(), screen.look()])
    expect(test.asked).toEqual(['/v1/users/kyc-data', '/v1/users/get-kyc-link'])
    expect(screen.state.get().url).not.toBe(url)
    await test.decideIdentity(customer, 'approve')
    await screen.look()
    expect(onStatus).toHaveBeenCalledWith('completed')
    test.pass(1600)
    await screen.load()
    expect(screen.state.get().error).toBeUndefined()
  })

  it('never gives another customer’s link, and renews it in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await signIn({ unverified: true })
      const first = createVerifyIdentity(vi.fn(), now)
      await first.load()
      const { url } = first.state.get()
      first.stop()
      await signIn({ unverified: true })
      const screen = createVerifyIdentity(vi.fn(), now)
      await screen.load()
      const own = screen.state.get().url
      expect(own).not.toBe(url)
      test.pass(1501)
      await vi.advanceTimersByTimeAsync(1_499_000)
      expect(screen.state.get().url).toBe(own)
      await vi.advanceTimersByTimeAsync(2000)
      await vi.waitFor(() => expect(screen.state.get().url).toMatch(/^http/), { interval: 5 })
      expect(screen.state.get().url).not.toBe(own)
      screen.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not asked for again and again on a device whose clock is ahead', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      await signIn({ unverified: true })
      const screen = createVerifyIdentity(vi.fn(), () => now() + 3_600_000)
      await screen.load()
      test.asked.length = 0
      await vi.advanceTimersByTimeAsync(299_000)
      expect(test.asked).toEqual([])
      await vi.advanceTimersByTimeAsync(1000)
      await vi.waitFor(() => expect(test.asked).toEqual(['/v1/users/get-kyc-link']))
      screen.stop()
    } finally {
      vi.useRealTimers()
    }
  })

  it('says when no link is available, and can be asked again', async () => {
    await signIn({ unverified: true })
    const screen = createVerifyIdentity(vi.fn(), now)
    test.breakNext('unreachable')
    await screen.load()
    expect(screen.state.get().error).toBe('We could not reach the server. Check your connection and try again.')
    await screen.load()
    expect(screen.state.get()).toMatchObject({ url: expect.any(String), error: undefined })
  })
})
