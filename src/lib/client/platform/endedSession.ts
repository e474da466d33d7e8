/** The end of a session in this browser: by the customer, by another tab, or because the server no longer knows it. */
import { texts } from '#messages/platform/texts.ts'
import { goTo } from './navigation.ts'
import { clearSession, readStoredSession } from './session.ts'
import { notifyNextPage } from './toasts.ts'
import { send } from './transport.ts'

const SIGN_OUT_PATH = '/sign-out'
const TIMEOUT_MS = 3000

let isLeaving = false

/** The customer logs out: the form does the rest, and calls under way no longer show their failures. */
export function beginSignOut(): void {
  isLeaving = true
  clearSession()
}

/** The server no longer knows this session: forget it here too, page cookie included, and go to sign in. */
export function endedSession(): void {
  if (isLeaving) return
  clearSession()
  notifyNextPage('info', texts.sessionEnded)
  leave()
}

/** The password was changed: every session has ended, this one too. */
export function afterPasswordChange(): void {
  clearSession()
  notifyNextPage('success', texts.canSignIn)
  leave()
}

/** Another tab signed out: its request may still be on the way, and this page must not come back signed in. */
export function followSignOut(): void {
  if (!isLeaving && !readStoredSession()) leave()
}

function leave(): void {
  send(SIGN_OUT_PATH, { method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
    .catch(() => undefined)
    .finally(() => goTo('/sign-in'))
}
