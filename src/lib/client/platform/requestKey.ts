/** Idempotency keys: an unchanged request keeps its key until it succeeds, even after a reload, and also if another one is sent meanwhile. Loaded with the first. */
import { saysNothing, untilKnown } from './askAgain.ts'
import { CallError } from './failure.ts'

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

function requestKeys(storageName: string) {
  const read = () => JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [digest: string, key: string][]
  const write = (kept: [string, string][]) => sessionStorage.setItem(storageName, JSON.stringify(kept.slice(-MOST_KEPT)))
  return {
    keyOf: async (request: object): Promise<string> => {
      const digest = await digestOf(request)
      const kept = read()
      const known = kept.find(([one]) => one === digest)?.[1]
      if (known) return known
      const made = crypto.randomUUID()
      write([...kept, [digest, made]])
      return made
    },
    /** Call on success: the next request gets a new key, even if it is the same. */
    done: async (request: object): Promise<void> => {
      const digest = await digestOf(request)
      write(read().filter(([one]) => one !== digest))
    }
  }
}

/** Sends it until its outcome is known, or half a minute is over. Throws as `untilKnown`. */
export async function sendWithKey<Request extends object, T>(
  storageName: string,
  request: Request,
  run: (request: Request, idempotencyKey: string) => Promise<T | undefined>
): Promise<T | undefined> {
  const keys = requestKeys(storageName)
  const key = await keys.keyOf(request)
  const answer = await untilKnown(() => run(request, key))
  if (answer !== undefined) await keys.done(request)
  return answer
}
