/** Ends the session in this browser: the customer or another tab signed out, or the server no longer knows the session. */
import { texts } from '#messages/platform/texts.ts'
import { goTo } from './navigation.ts'
import { clearSession, readStoredSession } from './session.ts'
import { notifyNextPage } from './toasts.ts'
import { send } from './transport.ts'

const SIGN_OUT_PATH = '/sign-out'
const TIMEOUT_MS = 3000

let isLeaving = false

/** Call when the customer logs out; the form does the rest. Running calls that now fail no longer report an ended session. */
export function beginSignOut(): void {
  isLeaving = true
  clearSession()
}

/** Call when the server no longer knows this session: deletes it here too, with the page cookie, and goes to the sign-in page. */
export function endedSession(): void {
  if (isLeaving) return
  clearSession()
  notifyNextPage('info', texts.sessionEnded)
  leave()
}

/** A changed password ends every session, including this one. */
export function afterPasswordChange(): void {
  clearSession()
  notifyNextPage('success', texts.canSignIn)
  leave()
}

/**
 * Call when another tab may have signed out. Its request may still be running, so sign out here too: a reload must not be signed in. What this tab
 * keeps of the customer goes, too.
 */
export function followSignOut(): void {
  if (isLeaving || readStoredSession()) return
  clearSession()
  leave()
}

function leave(): void {
  send(SIGN_OUT_PATH, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .catch(() => undefined)
    .finally(() => goTo('/sign-in'))
}
