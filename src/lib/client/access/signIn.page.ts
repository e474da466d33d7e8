/** The script of the sign-in page, which the server shows without a session only. */
import { goTo } from '../platform/navigation.ts'
import { readStoredSession, SESSION_KEY } from '../platform/session.ts'

const ASKED = 'asked-for-dashboard'

// This page may be older than a sign-in in another tab: the server is asked once more. If it sends us back here, what
// is stored belongs to an ended session, and goes.
if (readStoredSession() && !sessionStorage.getItem(ASKED)) {
  sessionStorage.setItem(ASKED, 'yes')
  goTo('/dashboard')
} else {
  sessionStorage.removeItem(ASKED)
  localStorage.removeItem(SESSION_KEY)
}
window.addEventListener('storage', (event) => {
  if (event.key === SESSION_KEY && event.newValue) goTo('/dashboard')
})
