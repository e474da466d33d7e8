/** Tests screens against the API in memory: their requests go to the application, their navigations are recorded. */

import { vi } from 'vitest'
import { replaceNavigation } from '#lib/client/platform/navigation.ts'
import { session } from '#lib/client/platform/session.ts'
import { takeToasts, toasts } from '#lib/client/platform/toasts.ts'
import { replaceTransport } from '#lib/client/platform/transport.ts'
import { LOCAL } from './local.ts'
import { createTestApp, type TestApp } from './testApp.ts'

type Break = 'unreachable' | 'answer lost' | '500 without a body' | '502 of a proxy'

export type ScreenTest = TestApp & {
  /** URLs that the screen navigated to, in order. */
  visited: string[]
  /** Paths of the requests, in order. */
  asked: string[]
  /** The texts of the toasts since the last call. */
  said: () => string[]
  /** Makes the next request fail, before or after the server has handled it. */
  breakNext: (how: Break) => void
  /** Makes the next request to a path fail, or the next ones. */
  breakAt: (path: string, how: Break, times?: number) => void
  /** Keeps the next answer to a path back: `answered` when the server has given it, `release` lets it through. */
  holdAt: (path: string) => { answered: Promise<void>; release: () => void }
  /** Clears the browser's storage and everything recorded. */
  reset: () => void
}

/** Runs `act` while waits of the screen's end at once. */
export async function inNoTime(act: () => Promise<unknown>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let isOver = false
  const running = act().finally(() => {
    isOver = true
  })
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(500)
    await new Promise((resume) => setImmediate(resume))
  }
  vi.useRealTimers()
  await running
}

export async function createScreenTest(): Promise<ScreenTest> {
  const test = await createTestApp()
  const visited: string[] = []
  const asked: string[] = []
  let held: { path: string; answered: () => void; released: Promise<void> } | undefined
  let broken: { path: string | undefined; how: Break; times: number } | undefined

  replaceNavigation((url) => visited.push(url))
  replaceTransport(async (input, init) => {
    const request = new Request(typeof input === 'string' ? new URL(input, 'http://wallet.test') : input, init)
    const { pathname } = new URL(request.url)
    asked.push(pathname)
    const how = broken && (broken.path ?? pathname) === pathname ? broken.how : undefined
    if (how && broken) broken = broken.times > 1 ? { ...broken, times: broken.times - 1 } : undefined
    if (how === 'unreachable') throw new TypeError('Failed to fetch')
    if (how === '502 of a proxy') return new Response('<html>Bad gateway</html>', { status: 502 })
    if (how === '500 without a body') return new Response(null, { status: 500 })
    const response = pathname === '/sign-out' ? new Response() : await test.app.api.fetch(request, LOCAL)
    if (held?.path === pathname) {
      const { answered, released } = held
      held = undefined
      answered()
      await released
    }
    if (how === 'answer lost') throw new TypeError('Failed to fetch')
    return response
  })

  return {
    ...test,
    visited,
    asked,
    said: () => takeToasts().map(({ text }) => text),
    breakNext: (how) => {
      broken = { path: undefined, how, times: 1 }
    },
    breakAt: (path, how, times = 1) => {
      broken = { path, how, times }
    },
    holdAt: (path) => {
      const [answered, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      held = { path, answered: answered.resolve, released: released.promise }
      return { answered: answered.promise, release: released.resolve }
    },
    reset: () => {
      visited.length = 0
      asked.length = 0
      broken = undefined
      held = undefined
      toasts.set([])
      session.set(null)
      localStorage.clear()
      sessionStorage.clear()
    }
  }
}
