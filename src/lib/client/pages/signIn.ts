/** The script of the sign-in page, which is only shown without a session: what an ended one left behind goes. */
import { goTo } from '../navigation.ts'
import { SESSION_KEY } from '../stores/session.ts'

localStorage.removeItem(SESSION_KEY)
// Another tab signed in.
window.addEventListener('storage', (event) => {
  if (event.key === SESSION_KEY && event.newValue) goTo('/dashboard')
})
