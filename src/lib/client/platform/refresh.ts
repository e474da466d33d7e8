/** Changes the token pair for a new one: once, however many requests and tabs want it (docs/decisions/0010-refresh-tokens.md). */
import ky, { isHTTPError } from 'ky'
import { pathOf } from '#lib/contract/calls.ts'
import type { TokenPair } from '#lib/contract/types.ts'
import { readStoredSession, startSession } from './session.ts'
import { apiUrl, send } from './transport.ts'

const TIMEOUT_MS = 5000
const LOCK = 'auth-refresh'
const UNAUTHORIZED = 401
const STORAGE_SETTLES_MS = 100

/** `refused`: the server or the storage no longer has this session. `failed`: a retry may work. */
export type Refreshed = { token: string } | 'refused' | 'failed'

/** The result if the session was ended or replaced while the answer was on its way: the newer state is kept. */
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
        // Lets the answer arrive, or at least the request finish, if the page is left meanwhile.
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

/** Returns a token that replaces `used`. One tab asks, the others use its result. */
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
        // Other tabs see a storage write a moment later: keep the lock until then, or they read the old token.
        await new Promise((settled) => setTimeout(settled, STORAGE_SETTLES_MS))
      })
      .catch(reject)
  })
}
