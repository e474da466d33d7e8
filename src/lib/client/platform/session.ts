/** The session in the browser's storage (spec section 3), under `auth-storage`, shared between tabs. */
import { persistentAtom } from '@nanostores/persistent'
import type { TokenPair } from '#lib/contract/types.ts'

export const SESSION_KEY = 'auth-storage'

export type Session = {
  token: string
  refreshToken: string
  user: { token: string; userUid: string; email: string }
}

function decode(text: string): Session | null {
  try {
    const value: Session | null = JSON.parse(text)
    return value?.token && value.refreshToken ? value : null
  } catch {
    return null
  }
}

export const session = persistentAtom<Session | null>(SESSION_KEY, null, {
  // Returning undefined removes the key; the library's types forbid it, hence the cast.
  encode: (value) => (value ? JSON.stringify(value) : undefined) as string,
  decode
})

/** Reads the storage, not the store: another tab may have written a moment ago. */
export function readStoredSession(): Session | null {
  return decode(localStorage.getItem(SESSION_KEY) ?? 'null')
}

type Claims = { user_id: string; email: string; exp: number }

/** Reads a token's claims without checking them: only the server does that. */
export function readClaims(token: string): Claims | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return undefined
  }
}

export function secondsLeft(token: string, nowMs: number): number {
  return (readClaims(token)?.exp ?? 0) - nowMs / 1000
}

export function startSession({ token, refreshToken }: TokenPair): void {
  const claims = readClaims(token)
  session.set({ token, refreshToken, user: { token, userUid: claims?.user_id ?? '', email: claims?.email ?? '' } })
}

/** Deletes everything that this browser stores about the customer. */
export function clearSession(): void {
  session.set(null)
  localStorage.clear()
  sessionStorage.clear()
}
