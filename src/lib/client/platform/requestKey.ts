/**
 * Idempotency keys: an unchanged request keeps its key until it succeeds, even after a reload, and also if another one is sent meanwhile. Loaded with
 * the first one.
 */
import { saysNothing, untilKnown } from './askAgain.ts'
import { CallError } from './failure.ts'

/** True if the outcome of a request is unknown after this error. `wasOpen`: it was unknown before. */
export function isStillOpen(error: unknown, wasOpen: boolean): boolean {
  if (!(error instanceof CallError)) return wasOpen
  return error.code === 'outcome_unknown' || (wasOpen && saysNothing(error))
}

/** More than a customer sends in one visit without success; the oldest are forgotten. */
const MOST_KEPT = 30

/** What a request asks for, as a digest: it may name somebody else, and stays in the tab's storage. */
async function digestOf(request: object): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(request)))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

/**
 * Sends a request under its key until its outcome is known, or half a minute is over. After success the next request gets a new key, even if it is
 * the same. Throws as `untilKnown`.
 */
export async function sendWithKey<Request extends object, T>(
  storageName: string,
  request: Request,
  run: (request: Request, idempotencyKey: string) => Promise<T | undefined>
): Promise<T | undefined> {
  const digest = await digestOf(request)
  const read = () => JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [digest: string, key: string][]
  const write = (kept: [string, string][]) => sessionStorage.setItem(storageName, JSON.stringify(kept.slice(-MOST_KEPT)))
  const key = read().find(([one]) => one === digest)?.[1] ?? crypto.randomUUID()
  const others = () => read().filter(([one]) => one !== digest)
  write([...others(), [digest, key]])
  const answer = await untilKnown(() => run(request, key))
  if (answer !== undefined) write(others())
  return answer
}
