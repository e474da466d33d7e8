import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createVerifyIdentity } from '#lib/client/identity/verifyIdentity.ts'
import { startSession } from '#lib/client/platform/session.ts'
import { createScreenTest, type ScreenTest } from '#support/screens.ts'

let test: ScreenTest
beforeAll(async () => {
  test = await createScreenTest()
})
beforeEach(() => test.reset())
afterAll(() => test.close())

const now = () => test.app.context.clock().getTime()

async function signIn(options = {}) {
  const customer = await test.customer(options)
  startSession(customer)
  return customer
}

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
