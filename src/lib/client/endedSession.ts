/** The server no longer knows this session: forget it here too, page cookie included, and go to sign in. */
import { texts } from '../messages/screens.ts'
import { goTo } from './navigation.ts'
import { notifyNextPage } from './notices.ts'
import { clearSession, readStoredSession } from './stores/session.ts'
import { send } from './transport.ts'

const SIGN_OUT_PATH = '/sign-out'

export function endedSession(): void {
  clearSession()
  notifyNextPage('info', texts.sessionEnded)
  leave()
}

/** Another tab signed out: its request may still be on the way, and this page must not come back signed in. */
export function followSignOut(): void {
  if (!readStoredSession()) leave()
}

function leave(): void {
  send(SIGN_OUT_PATH, { method: 'POST', redirect: 'manual' })
    .catch(() => undefined)
    .finally(() => goTo('/sign-in'))
}
