/** Refreshes the tokens before they expire (spec section 4): 10 minutes before, or at once where less is left. */
import { REFRESH_MARGIN_SECONDS } from '../domain/account.ts'
import { secondsLeft, session } from './stores/session.ts'

const RETRY_SECONDS = 60

/** Follows the session; returns the function that stops it. `onRefreshed` is told of every new pair. */
export function keepSession(onRefreshed: () => void, nowMs: () => number = Date.now): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false

  async function refresh(token: string): Promise<void> {
    const fresh = await import('./refresh.ts').then(({ refreshToken }) => refreshToken(token)).catch(() => undefined)
    if (stopped) return
    if (fresh && fresh !== token) onRefreshed()
    else plan(token, RETRY_SECONDS)
  }
  function plan(token: string, waitSeconds: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(token), waitSeconds * 1000)
  }
  const unsubscribe = session.subscribe((current) => {
    clearTimeout(timer)
    if (!current) return
    const left = secondsLeft(current.token, nowMs())
    if (left <= REFRESH_MARGIN_SECONDS) void refresh(current.token)
    else plan(current.token, left - REFRESH_MARGIN_SECONDS)
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
  }
}
