/** Idempotency keys: an unchanged request keeps its key until it succeeds, even after a reload, and also if another one is sent meanwhile. */

import { CallError } from './failure.ts'

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

/**
 * Sends requests with keys. One whose outcome is unknown stays undecided: the form sends exactly that one again, without checks against balances
 * that it may have changed itself, until it is done or refused.
 */
export function keyedRequests<Request extends object>(storageName: string) {
  const keys = requestKeys(storageName)
  let undecided: Request | undefined
  return {
    undecided: () => undecided,
    /** `run` makes the call; undefined: the customer did not prove who they are, and nothing was sent. */
    send: async <T>(
      request: Request,
      run: (request: Request, idempotencyKey: string) => Promise<T | undefined>
    ): Promise<T | undefined> => {
      try {
        const answer = await run(request, await keys.keyOf(request))
        if (answer === undefined) return undefined
        undecided = undefined
        await keys.done(request)
        return answer
      } catch (error) {
        undecided = error instanceof CallError && error.code === 'outcome_unknown' ? request : undefined
        throw error
      }
    }
  }
}
