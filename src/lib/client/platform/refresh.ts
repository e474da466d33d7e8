/** Changes the token pair for a new one: once, however many requests and tabs want it (docs/architecture.md). */
import ky, { isHTTPError } from 'ky'
import { pathOf } from '#lib/contract/calls.ts'
import type { TokenPair } from '#lib/contract/types.ts'
import { readStoredSession, startSession } from './session.ts'
import { apiUrl, send } from './transport.ts'

const TIMEOUT_MS = 5000
const LOCK = 'auth-refresh'
const UNAUTHORIZED = 401
const STORAGE_SETTLES_MS = 100

/** `refused`: the server or the storage knows no such session any more. `failed`: it may work in a moment. */
export type Refreshed = { token: string } | 'refused' | 'failed'

/** What became of the session while the answer was on its way: signed out, or in again; nothing of it is overwritten. */
function settled(used: string): Refreshed | undefined {
  const current = readStoredSession()
  if (!current) return 'refused'
  return current.token === used ? undefined : { token: current.token }
}

function keep(pair: TokenPair): Refreshed {
  startSession(pair)
  return { token: pair.token }
}

async function exchange(used: string): Promise<Refreshed> {
  const current = readStoredSession()
  if (!current) {
    console.warn('There is no refresh token: the request fails as it is.')
    return 'refused'
  }
  if (current.token !== used) return { token: current.token }
  try {
    const answer = await ky
      .post(apiUrl(pathOf('refreshToken')), {
        json: { refreshToken: current.refreshToken },
        timeout: TIMEOUT_MS,
        retry: 0,
        fetch: send,
        // A page that is left in the middle of it still gets its answer into storage, or at least does not cut it off.
        keepalive: true
      })
      .json<{ data: TokenPair }>()
    return settled(used) ?? keep(answer.data)
  } catch (error) {
    console.warn('The session could not be refreshed.', error instanceof Error ? error.message : '')
    const since = settled(used)
    if (since) return since
    return isHTTPError(error) && error.response.status === UNAUTHORIZED ? 'refused' : 'failed'
  }
}

let running: Promise<Refreshed> | undefined

/** A token that replaces `used`. One tab asks, the others take its result. */
export function refreshToken(used: string): Promise<Refreshed> {
  running ??= exchangeAlone(used).finally(() => {
    running = undefined
  })
  return running
}

function exchangeAlone(used: string): Promise<Refreshed> {
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(LOCK, async () => {
        resolve(await exchange(used))
        // What is written to storage reaches other tabs a moment later: until then they must not read it.
        await new Promise((settled) => setTimeout(settled, STORAGE_SETTLES_MS))
      })
      .catch(reject)
  })
}
