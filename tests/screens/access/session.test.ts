import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { call } from '#lib/client/platform/call.ts'
import { followSignOut } from '#lib/client/platform/endedSession.ts'
import { sentenceOf } from '#lib/client/platform/failure.ts'
import { keepSession } from '#lib/client/platform/keepSession.ts'
import { refreshToken } from '#lib/client/platform/refresh.ts'
import { session, startSession } from '#lib/client/platform/session.ts'
import { texts } from '#messages/platform/texts.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

const now = () => test.app.context.clock().getTime()
const refreshes = () => test.asked.filter((path) => path.endsWith('/refresh-token')).length

async function signIn() {
  const customer = await test.customer()
  startSession(customer)
  return customer
}

describe('a call', () => {
  it('carries the bearer', async () => {
    const { email } = await signIn()
    expect((await call('getProfile')).email).toBe(email)
  })

  it('after an expired token refreshes once, while the others wait, and all are replayed', async () => {
    const { email, token } = await signIn()
    test.pass(1801)
    const answers = await Promise.all([call('getProfile'), call('getBalance'), call('listOrders'), call('getProfile')])
    expect(answers[0].email).toBe(email)
    expect(refreshes()).toBe(1)
    expect(session.get()?.token).not.toBe(token)
  })

  it('takes the token that another tab has just brought instead of asking again', async () => {
    const customer = await signIn()
    test.pass(1801)
    const pair = (await test.send('POST', '/users/refresh-token', { body: { refreshToken: customer.refreshToken } })).body.data
    localStorage.setItem(
      'auth-storage',
      JSON.stringify({ ...pair, user: { token: pair.token, userUid: customer.userId, email: '' } })
    )
    await call('getProfile')
    expect(refreshes()).toBe(0)
  })

  it('of three tabs that want the same refresh waits for none of them', async () => {
    const { token } = await signIn()
    test.pass(1801)
    const began = performance.now()
    const tokens = []
    for (let tab = 0; tab < 3; tab += 1) tokens.push(await refreshToken(token))
    expect(new Set(tokens.map((one) => typeof one === 'object' && one.token)).size).toBe(1)
    expect(refreshes()).toBe(1)
    // Well below the 5 s for which the first tab signals that it replaced the token: no tab waited that long.
    expect(performance.now() - began).toBeLessThan(4000)
  })

  it('of an ended session fails with its own error, and leads to sign in with everything forgotten', async () => {
    const customer = await signIn()
    await test.send('POST', '/users/signout', { token: customer.token, body: {} })
    await expect(call('getProfile')).rejects.toMatchObject({ code: 'unauthorized', message: 'Please sign in again.' })
    await vi.waitFor(() => expect(test.visited).toEqual(['/sign-in']))
    expect(session.get()).toBeNull()
    expect(localStorage.getItem('auth-storage')).toBeNull()
    expect(test.asked.at(-1)).toBe('/sign-out')
  })

  it('that ended in another tab leaves nothing of the customer in this one', async () => {
    await signIn()
    sessionStorage.setItem('euro-withdraw', 'what they typed')
    // Another tab has signed out.
    localStorage.removeItem('auth-storage')
    followSignOut()
    await vi.waitFor(() => expect(test.visited).toEqual(['/sign-in']))
    expect(sessionStorage.getItem('euro-withdraw')).toBeNull()
  })

  it.each(['unreachable', 'answer lost'] as const)(
    'whose refresh is %s fails, keeps the session, and works with the next try',
    async (how) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const { email } = await signIn()
      test.pass(1801)
      test.breakAt('/v1/users/refresh-token', how)
      await expect(call('getProfile')).rejects.toMatchObject({ code: 'unauthorized' })
      expect(session.get()?.user.email).toBe(email)
      expect(test.visited).toEqual([])
      expect((await call('getProfile')).email).toBe(email)
      warn.mockRestore()
    }
  )

  it('without a refresh token warns and fails', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await expect(call('getProfile')).rejects.toMatchObject({ code: 'unauthorized' })
    expect(warn).toHaveBeenCalledWith('There is no refresh token: the request fails as it is.')
    expect(refreshes()).toBe(0)
    warn.mockRestore()
  })

  it('that cannot reach the server says so', async () => {
    await signIn()
    test.breakNext('unreachable')
    await expect(call('moveSpotToFunding', { body: { currency: 'CPC', amount: '1' } })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'We could not reach the server. Check your connection and try again.'
    })
  })

  it('that is answered 500 without a body says that something went wrong, or what the screen says of it', async () => {
    await signIn()
    test.breakNext('500 without a body')
    const failed = call('moveSpotToFunding', { body: { currency: 'CPC', amount: '1' } })
    await expect(failed).rejects.toMatchObject({ code: 'unreadable', message: 'Something went wrong' })
    const error = await failed.catch((cause: unknown) => cause)
    expect(sentenceOf(error, 'Transfer Failed')).toBe('Transfer Failed')
    // The server answered, so it must not be called unreachable.
    expect(sentenceOf(error, texts.unreachable)).toBe('Something went wrong')
  })
})

describe('the session', () => {
  it('is refreshed at once where ten minutes or less are left', async () => {
    await signIn()
    test.pass(1200)
    const refreshed = vi.fn()
    const stop = keepSession(refreshed, now)
    await vi.waitFor(() => expect(refreshed).toHaveBeenCalledOnce())
    expect(refreshes()).toBe(1)
    stop()
  })

  it('is refreshed again soon after a lost answer, while the server still takes the old token', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await signIn()
    test.pass(1200)
    test.breakAt('/v1/users/refresh-token', 'answer lost')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const refreshed = vi.fn()
    const stop = keepSession(refreshed, now)
    await vi.waitFor(() => expect(refreshes()).toBe(1))
    test.pass(5)
    // `waitFor` advances the fake timers step by step, only until the second try is sent: its answer takes real time.
    await vi.waitFor(() => expect(refreshes()).toBe(2), { timeout: 20_000, interval: 500 })
    vi.useRealTimers()
    await vi.waitFor(() => expect(refreshed).toHaveBeenCalledOnce())
    expect(session.get()).not.toBeNull()
    stop()
    warn.mockRestore()
  })

  it('is left alone before that, and refreshed when the time comes', async () => {
    await signIn()
    vi.useFakeTimers()
    const refreshed = vi.fn()
    const stop = keepSession(refreshed, now)
    await vi.advanceTimersByTimeAsync(1_199_000)
    expect(refreshes()).toBe(0)
    test.pass(1200)
    await vi.advanceTimersByTimeAsync(2000)
    vi.useRealTimers()
    await vi.waitFor(() => expect(refreshed).toHaveBeenCalledOnce())
    stop()
  })

  it('is not refreshed again and again on a device whose clock is ahead', async () => {
    await signIn()
    test.pass(1)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const refreshed = vi.fn()
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        test.pass(1)
        await vi.advanceTimersByTimeAsync(1000)
      }
    }
    const stop = keepSession(refreshed, () => now() + 25 * 60_000)
    await vi.waitFor(() => expect(refreshed).toHaveBeenCalledOnce())
    await pass(290)
    expect(refreshes()).toBe(1)
    // Advance only until the call is sent: its time-out runs on the same fake clock, but its answer takes real time.
    for (let second = 0; second < 15 && refreshes() === 1; second += 1) await pass(1)
    await vi.waitFor(() => expect(refreshed).toHaveBeenCalledTimes(2))
    await pass(200)
    expect(refreshes()).toBe(2)
    stop()
    vi.useRealTimers()
  })

  it('of another customer, which began while the old one was refreshed, is kept, and is not used for what the first one asked', async () => {
    const { token, email } = await signIn()
    const other = await test.customer()
    const fetch = test.app.api.fetch.bind(test.app.api)
    vi.spyOn(test.app.api, 'fetch').mockImplementationOnce(async (request) => {
      const answer = await fetch(request)
      startSession(other)
      return answer
    })
    expect(await refreshToken(token)).toBe('failed')
    expect(session.get()?.user.email).not.toBe(email)
    expect(session.get()?.token).toBe(other.token)
  })
})
