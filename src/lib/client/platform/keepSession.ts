/** Refreshes the tokens before they expire (spec section 4): 10 minutes before, or at once if less is left. */
import { REFRESH_MARGIN_SECONDS } from '#lib/domain/access/sessions.ts'
import { loadChunk } from './loadChunk.ts'
import { secondsLeft, session } from './session.ts'

/** The first retries fall within the 30 s in which the server accepts a used refresh token again. */
const RETRY_SECONDS = [5, 10, 60]
const SOONEST_SECONDS = 300
/** Timers that wait longer than 2^31 ms fire at once. */
const LONGEST_SECONDS = 86_400

/** Follows the session; returns the function that stops it. `onRefreshed` runs after every new token pair. */
export function keepSession(onRefreshed: () => void, nowMs: () => number = Date.now): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let lastAtMs = Number.NEGATIVE_INFINITY

  async function refresh(token: string, tries: number): Promise<void> {
    lastAtMs = nowMs()
    const refreshed = await loadChunk(() => import('./refresh.ts'))
      .then(({ refreshToken }) => refreshToken(token))
      .catch(() => 'failed' as const)
    if (typeof refreshed === 'object' && refreshed.token !== token) onRefreshed()
    const isStillMine = !stopped && session.get()?.token === token
    if (refreshed === 'failed' && isStillMine) plan(token, RETRY_SECONDS[tries] ?? RETRY_SECONDS.at(-1) ?? 0, tries + 1)
  }
  function plan(token: string, waitSeconds: number, tries = 0): void {
    clearTimeout(timer)
    timer = setTimeout(() => void refresh(token, tries), waitSeconds * 1000)
  }
  const unsubscribe = session.subscribe((current) => {
    clearTimeout(timer)
    if (!current) return
    const left = secondsLeft(current.token, nowMs()) - REFRESH_MARGIN_SECONDS
    if (left > 0) plan(current.token, Math.min(left, LONGEST_SECONDS))
    // If the device's clock is ahead, even a new token looks old: wait, so that it is not refreshed in a loop.
    else if (nowMs() - lastAtMs < SOONEST_SECONDS * 1000) plan(current.token, SOONEST_SECONDS)
    else void refresh(current.token, 0)
  })
  return () => {
    stopped = true
    clearTimeout(timer)
    unsubscribe()
  }
}
