import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChangeEmail } from '#lib/client/access/changeEmail.ts'
import { createEditProfile } from '#lib/client/access/editProfile.ts'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { session, startSession } from '#lib/client/platform/session.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

async function signIn(options = {}) {
  const customer = await test.customer(options)
  startSession(customer)
  return customer
}
const profileOf = async (token: string) => (await test.send('GET', '/users/profile', { token })).body.data

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
    expect(screen.state.get().errors).toEqual({ email: 'This is already your email' })
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
