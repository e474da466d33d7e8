/** What every signed-in page does in the background. */

import { followSignOut } from './endedSession.ts'
import { keepSession } from './keepSession.ts'
import { refreshAllQueries } from './stores/queries.ts'
import { SESSION_KEY } from './stores/session.ts'

const AWAY_MS = 60_000

export function startShell(): void {
  keepSession(refreshAllQueries)
  let leftAt = 0
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leftAt = Date.now()
    else if (leftAt > 0 && Date.now() - leftAt >= AWAY_MS) refreshAllQueries()
  })
  // Another tab signed out, or this page comes back from the browser's memory after a sign-out.
  window.addEventListener('storage', (event) => {
    if ((event.key === SESSION_KEY && event.newValue === null) || event.key === null) followSignOut()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) followSignOut()
  })
}
