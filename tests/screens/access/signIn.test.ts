import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSignIn } from '#lib/client/access/signIn.ts'
import { createSignUp } from '#lib/client/access/signUp.ts'
import { recallVerification, rememberVerification } from '#lib/client/access/verification.ts'
import { createVerifyEmail } from '#lib/client/access/verifyEmail.ts'
import { CallError, sentenceOf } from '#lib/client/platform/failure.ts'
import { session } from '#lib/client/platform/session.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'
import { PASSWORD } from '#support/testApp.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

const now = () => test.app.context.clock().getTime()

describe('sign in', () => {
  async function untilOtp(email: string) {
    const screen = createSignIn(undefined, now)
    screen.type('email', email)
    await screen.next()
    return screen
  }

  it('asks for the email at Next, in the words of the specification', async () => {
    const screen = createSignIn(undefined, now)
    await screen.next()
    expect(screen.state.get()).toMatchObject({ step: 'email', errors: { email: 'Email is required' } })
    screen.type('email', 'ada@')
    expect(screen.state.get().errors.email).toBe('Email format is invalid')
    await screen.next()
    expect(test.asked).toEqual([])
    screen.type('email', 'ada@example.com')
    expect(screen.state.get().errors.email).toBeUndefined()
  })

  it('locks the email while a code is awaited, and signs in at the sixth character', async () => {
    const { email } = await test.customer()
    const screen = await untilOtp(email)
    expect(screen.state.get()).toMatchObject({ step: 'otp', fields: { otp: '' } })
    expect(test.said()).toEqual(['OTP has been sent to your email.'])
    screen.type('email', 'other@example.com')
    expect(screen.state.get().fields.email).toBe(email)
    const code = await test.codeFor(email)
    screen.type('otp', code.slice(0, 5))
    expect(screen.state.get().busy).toBeUndefined()
    screen.type('otp', ` ${code.slice(0, 3)} ${code.slice(3)} `)
    await vi.waitFor(() => expect(test.visited).toEqual(['/dashboard']))
    expect(session.get()).toMatchObject({ user: { email }, token: expect.any(String), refreshToken: expect.any(String) })
    expect(JSON.parse(localStorage.getItem('auth-storage') ?? '')).toMatchObject({ user: { email, userUid: expect.any(String) } })
  })

  it('says that a wrong code is invalid and keeps it to be mended', async () => {
    const { email } = await test.customer()
    const screen = await untilOtp(email)
    const wrong = (await test.codeFor(email)) === '111111' ? '222222' : '111111'
    screen.type('otp', wrong)
    await vi.waitFor(() => expect(screen.state.get().errors.otp).toBe('OTP invalid or expired.'))
    expect(screen.state.get()).toMatchObject({ fields: { otp: wrong }, busy: undefined, step: 'otp' })
    expect(session.get()).toBeNull()
  })

  it('says how long to wait in minutes and seconds, and returns to the start', async () => {
    const email = `${randomUUID()}@example.com`
    await untilOtp(email)
    test.pass(15)
    test.said()
    const screen = await untilOtp(email)
    expect(test.said()).toEqual(['Please wait 45 seconds before requesting another OTP.'])
    expect(screen.state.get().step).toBe('email')
  })

  it('returns to the start with the email kept when the code cannot be requested', async () => {
    const screen = createSignIn(undefined, now)
    screen.type('email', 'ada@example.com')
    test.breakNext('unreachable')
    await screen.next()
    expect(test.said()).toEqual(['Failed to request OTP. Please try again.'])
    expect(screen.state.get()).toMatchObject({ step: 'email', fields: { email: 'ada@example.com' }, busy: undefined })
  })

  it('keeps the step of the code through a reload, until the code expires or the customer goes back', async () => {
    const { email } = await test.customer()
    await untilOtp(email)
    test.pass(20)
    const reloaded = createSignIn(undefined, now)
    reloaded.recall()
    expect(reloaded.state.get()).toMatchObject({ step: 'otp', fields: { email }, waitUntilMs: now() + 40_000 })
    reloaded.type('otp', await test.codeFor(email))
    await vi.waitFor(() => expect(test.visited).toEqual(['/dashboard']))
    const after = createSignIn(undefined, now)
    after.recall()
    expect(after.state.get().step).toBe('email')
    const other = await untilOtp(`${randomUUID()}@example.com`)
    const late = createSignIn(undefined, () => now() + 1_800_000)
    late.recall()
    expect(late.state.get().step).toBe('email')
    other.back()
    const again = createSignIn(undefined, now)
    again.recall()
    expect(again.state.get().step).toBe('email')
  })

  it('shows what a server says in the form of the specification, without a code of ours', () => {
    const error = new CallError({ statusCode: 400, message: 'Too many codes for this address today.' } as never)
    expect(sentenceOf(error, 'Failed to request OTP. Please try again.')).toBe('Too many codes for this address today.')
    expect(sentenceOf(new CallError({} as never), 'Failed to request OTP. Please try again.')).toBe(
      'Failed to request OTP. Please try again.'
    )
  })

  it('goes back to the start and forgets the code', async () => {
    const screen = await untilOtp(`${randomUUID()}@example.com`)
    screen.type('otp', '12')
    screen.back()
    expect(screen.state.get()).toMatchObject({ step: 'email', fields: { otp: '' }, errors: {} })
  })

  it('sends another code when the wait is over, and none before', async () => {
    const { email } = await test.customer()
    const screen = await untilOtp(email)
    const asked = test.asked.length
    await screen.resend()
    expect(test.asked).toHaveLength(asked)
    test.pass(60)
    await screen.resend()
    expect(test.asked).toHaveLength(asked + 1)
  })

  it('verifies once, however fast it is pressed', async () => {
    const { email } = await test.customer()
    const screen = await untilOtp(email)
    screen.type('otp', await test.codeFor(email))
    await Promise.all([screen.verify(), screen.verify()])
    await vi.waitFor(() => expect(test.visited).toEqual(['/dashboard']))
    expect(test.asked.filter((path) => path.endsWith('/otp/verify'))).toHaveLength(1)
  })
})

describe('sign up', () => {
  function filled(email: string) {
    const screen = createSignUp(undefined, now)
    screen.type('email', email)
    screen.type('password', PASSWORD)
    screen.type('phone', ' +43 660 1234567 ')
    return screen
  }

  it('says what is missing at each field and keeps what was typed', async () => {
    const screen = createSignUp(undefined, now)
    screen.type('password', 'short')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({
      errors: {
        email: 'Email is required',
        password: 'Password must be at least 8 characters',
        phone: 'Phone number is required'
      },
      fields: { password: 'short' }
    })
    screen.type('password', 'long enough')
    expect(screen.state.get().errors.password).toBeUndefined()
    expect(test.asked).toEqual([])
  })

  it('checks a field when it is left, not before', () => {
    const screen = createSignUp(undefined, now)
    screen.type('email', 'ada')
    expect(screen.state.get().errors).toEqual({})
    screen.leave('email')
    expect(screen.state.get().errors.email).toBe('Email format is invalid')
  })

  it('shows the error of the server at its field', async () => {
    const screen = filled(`${randomUUID()}@example.com`)
    screen.type('referralCode', 'NOBODY12')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({ errors: { referralCode: 'Referral code is invalid' }, busy: undefined })
  })

  it('leads to the verification with the address in session storage, never the password', async () => {
    const email = `${randomUUID()}@example.com`
    await filled(` ${email.toUpperCase()} `).submit()
    expect(test.visited).toEqual(['/sign-up-verify'])
    expect(recallVerification()).toEqual({ email, sentAtMs: now() })
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(PASSWORD)
  })

  it('sends once, however fast it is pressed', async () => {
    const screen = filled(`${randomUUID()}@example.com`)
    await Promise.all([screen.submit(), screen.submit()])
    expect(test.asked).toEqual(['/v1/users/signup'])
  })

  it('can be pressed again after a lost answer: the wait is said, the code is on its way', async () => {
    const email = `${randomUUID()}@example.com`
    const screen = filled(email)
    test.breakNext('answer lost')
    await screen.submit()
    expect(screen.state.get()).toMatchObject({ busy: undefined, fields: { email } })
    expect(await test.codeFor(email)).toMatch(/^\d{6}$/)
    test.said()
    await screen.submit()
    expect(test.said()).toEqual(['Please wait 1 minute before requesting another code.'])
  })
})

describe('verify email', () => {
  async function signedUp() {
    const email = `${randomUUID()}@example.com`
    const signUp = createSignUp(undefined, now)
    signUp.type('email', email)
    signUp.type('password', PASSWORD)
    signUp.type('phone', '+43 660 1234567')
    await signUp.submit()
    const screen = createVerifyEmail(undefined, now)
    screen.load()
    return { email, screen }
  }

  it('counts 1800 seconds and signs in', async () => {
    const { email, screen } = await signedUp()
    expect(screen.state.get()).toMatchObject({ email, expiresAtMs: now() + 1_800_000, waitUntilMs: now() + 60_000 })
    screen.type('code', await test.codeFor(email))
    await screen.verify()
    expect(test.visited.at(-1)).toBe('/dashboard')
    expect(session.get()?.user.email).toBe(email)
    expect(recallVerification()).toBeUndefined()
  })

  it('does nothing with a code under six characters', async () => {
    const { screen } = await signedUp()
    const asked = test.asked.length
    screen.type('code', '12345')
    await screen.verify()
    expect(test.asked).toHaveLength(asked)
  })

  it('says that a wrong code is invalid and keeps it', async () => {
    const { email, screen } = await signedUp()
    const wrong = (await test.codeFor(email)) === '111111' ? '222222' : '111111'
    screen.type('code', wrong)
    await screen.verify()
    expect(screen.state.get()).toMatchObject({
      fields: { code: wrong },
      errors: { code: 'The code is invalid or expired. Please request a new one.' },
      busy: undefined
    })
  })

  it('sends another code after a minute and counts from there', async () => {
    const { email, screen } = await signedUp()
    test.pass(61)
    await screen.resend()
    expect(screen.state.get().expiresAtMs).toBe(now() + 1_800_000)
    screen.type('code', await test.codeFor(email))
    await screen.verify()
    expect(test.visited.at(-1)).toBe('/dashboard')
  })

  it('knows nobody where nobody signed up', () => {
    const screen = createVerifyEmail(undefined, now)
    screen.load()
    expect(screen.state.get().email).toBeNull()
    rememberVerification({ email: 'a@example.com', sentAtMs: 0 })
    screen.load()
    expect(screen.state.get().email).toBe('a@example.com')
  })
})
