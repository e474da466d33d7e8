/** The script of the sign-in page, which the server shows only without a session. */
import { goTo } from '../platform/navigation.ts'
import { readStoredSession, SESSION_KEY } from '../platform/session.ts'

const ASKED = 'asked-for-dashboard'

// Another tab may have signed in after this page was made, so ask the server once more. If it sends us back here, the
// stored session has ended: delete it.
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
