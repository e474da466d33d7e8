import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PasskeyDeclinedError } from '#lib/client/access/passkey.ts'
import { signInWithPasskey } from '#lib/client/access/passkeySignIn.ts'
import { createPasswordSignIn } from '#lib/client/access/passwordSignIn.ts'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { createSecondFactor } from '#lib/client/access/secondFactor.ts'
import { createSecurity } from '#lib/client/access/security.ts'
import { createSignIn } from '#lib/client/access/signIn.ts'
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
  const customer = await test.customer(options)
  startSession(customer)
  return customer
}
const securityOf = async (token: string) => (await test.send('GET', '/users/security', { token })).body.data

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
    const start = createSignIn(undefined, now)
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
      errors: { code: 'This code is wrong or already used. Please wait for the next one.' }
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
