/** Changes the token pair for a new one: once, however many requests and tabs want it (design section 6). */
import ky from 'ky'
import { pathOf } from '../contract/calls.ts'
import type { TokenPair } from '../contract/types.ts'
import { readStoredSession, startSession } from './stores/session.ts'
import { apiUrl, send } from './transport.ts'

const TIMEOUT_MS = 5000
const LOCK = 'auth-refresh'

async function exchange(used: string): Promise<string | undefined> {
  const current = readStoredSession()
  if (!current) {
    console.warn('There is no refresh token: the request fails as it is.')
    return undefined
  }
  if (current.token !== used) return current.token
  const answer = await ky
    .post(apiUrl(pathOf('refreshToken')), {
      json: { refreshToken: current.refreshToken },
      timeout: TIMEOUT_MS,
      retry: 0,
      fetch: send
    })
    .json<{ data: TokenPair }>()
  startSession(answer.data)
  return answer.data.token
}

let running: Promise<string | undefined> | undefined

/** A token that replaces `used`; `undefined` where none can be had. One tab asks, the others take its result. */
export function refreshToken(used: string): Promise<string | undefined> {
  running ??= navigator.locks
    .request(LOCK, () => exchange(used))
    .catch((error: unknown) => {
      console.warn('The session could not be refreshed.', error instanceof Error ? error.message : '')
      return undefined
    })
    .finally(() => {
      running = undefined
    })
  return running
}
