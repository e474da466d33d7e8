/** The sign-in code that was sent from this tab, so that its step survives a reload: in session storage, never in a URL. */
import { CODE_LIFETIME_SECONDS } from '#lib/domain/access/credentials.ts'

type Sent = { email: string; sentAtMs: number }

const KEY = 'sign-in-code'

export function rememberSent(sent: Sent): void {
  sessionStorage.setItem(KEY, JSON.stringify(sent))
}

/** Undefined once the code has expired. */
export function recallSent(nowMs: number): Sent | undefined {
  const sent: Sent | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  return sent && nowMs < sent.sentAtMs + CODE_LIFETIME_SECONDS * 1000 ? sent : undefined
}

export function forgetSent(): void {
  sessionStorage.removeItem(KEY)
}
