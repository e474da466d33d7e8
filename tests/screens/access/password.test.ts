import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPasswordSignIn } from '#lib/client/access/passwordSignIn.ts'
import { createResetPassword } from '#lib/client/access/resetPassword.ts'
import { createSignIn } from '#lib/client/access/signIn.ts'
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

describe('signing in with a password', () => {
  const outcome = () => ({ onSignedIn: vi.fn(), onSecondFactor: vi.fn() })

  it('does nothing without email or password, says what is wrong, and keeps what was typed', async () => {
    const { email } = await test.customer()
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
    const { email } = await test.customer()
    const done = outcome()
    const screen = createPasswordSignIn(done)
    screen.type('password', PASSWORD)
    await Promise.all([screen.submit(` ${email.toUpperCase()} `), screen.submit(email)])
    expect(done.onSignedIn).toHaveBeenCalledOnce()
    expect(session.get()?.user.email).toBe(email)
  })

  it('is a way from the start, and Back leads there', () => {
    const screen = createSignIn(undefined, now)
    screen.type('email', 'ada@example.com')
    screen.withPassword()
    expect(screen.state.get()).toMatchObject({ step: 'password', fields: { email: 'ada@example.com' } })
    screen.type('email', 'ada@example.org')
    screen.back()
    expect(screen.state.get()).toMatchObject({ step: 'email', fields: { email: 'ada@example.org' } })
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
    const { email } = await test.customer()
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
    const { email } = await test.customer()
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
