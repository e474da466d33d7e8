/** Exchanges the token pair for a new one, once for all requests and tabs that need it (docs/decisions/0010-refresh-tokens.md). */
import { pathOf } from '#lib/contract/calls.ts'
import type { TokenPair } from '#lib/contract/types.ts'
import { HttpError, sendJson } from './sendJson.ts'
import { readClaims, readStoredSession, startSession } from './session.ts'
import { apiUrl } from './transport.ts'

const TIMEOUT_MS = 5000
const LOCK = 'auth-refresh'
const UNAUTHORIZED = 401
/** How long the tab that replaced a token holds the lock that tells the other tabs, see `tellReplaced`. */
const TOLD_FOR_MS = 5000
/** How long another tab then waits for the new token in the storage, and how often it looks. */
const STORED_WITHIN_MS = 2000
const LOOK_EVERY_MS = 20

/** `refused`: the server or the storage no longer has this session. `failed`: a retry may work. */
export type Refreshed = { token: string } | 'refused' | 'failed'

/** The result if the session ended or was replaced: the newer state wins. Otherwise undefined. What one customer asked is never sent as another's. */
function settled(used: string): Refreshed | undefined {
  const current = readStoredSession()
  if (!current) {
    console.warn('There is no refresh token: the request fails as it is.')
    return 'refused'
  }
  if (current.token === used) return undefined
  return current.user.userUid === readClaims(used)?.user_id ? { token: current.token } : 'failed'
}

function keep(pair: TokenPair): Refreshed {
  startSession(pair)
  return { token: pair.token }
}

async function exchange(used: string): Promise<Refreshed> {
  const before = settled(used)
  if (before) return before
  try {
    const answer = await sendJson<{ data: TokenPair }>(apiUrl(pathOf('refreshToken')), {
      method: 'POST',
      body: { refreshToken: readStoredSession()?.refreshToken },
      timeoutMs: TIMEOUT_MS,
      // Lets the answer arrive, or at least the request finish, if the customer leaves the page.
      keepalive: true
    })
    return settled(used) ?? keep(answer.data)
  } catch (error) {
    console.warn('The session could not be refreshed.', error)
    return settled(used) ?? (error instanceof HttpError && error.status === UNAUTHORIZED ? 'refused' : 'failed')
  }
}

let running: Promise<Refreshed> | undefined

/** Returns a token that replaces `used`. One tab makes the request, the others use its result. */
export function refreshToken(used: string): Promise<Refreshed> {
  running ??= exchangeAlone(used).finally(() => {
    running = undefined
  })
  return running
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Other tabs see a write to the storage a moment later, but a lock at once. So the tab that replaced a token holds a lock
 * with that token's name for `TOLD_FOR_MS`. Resolves when the lock is held.
 */
function tellReplaced(used: string): Promise<void> {
  return new Promise((told) => {
    navigator.locks
      .request(replacedName(used), { ifAvailable: true }, (lock) => {
        told()
        // Without a lock, another tab already holds it.
        return lock ? pause(TOLD_FOR_MS) : undefined
      })
      .catch(() => told())
  })
}

function replacedName(token: string): string {
  return `${LOCK}:${token.slice(-16)}`
}

/** If another tab has replaced this token, waits until the new one is in the storage. */
async function readReplacement(used: string): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  if (!held.some(({ name }) => name === replacedName(used))) return
  const until = Date.now() + STORED_WITHIN_MS
  while (readStoredSession()?.token === used && Date.now() < until) await pause(LOOK_EVERY_MS)
}

async function exchangeAlone(used: string): Promise<Refreshed> {
  return navigator.locks.request(LOCK, async () => {
    await readReplacement(used)
    const refreshed = await exchange(used)
    if (typeof refreshed === 'object') await tellReplaced(used)
    return refreshed
  })
}
