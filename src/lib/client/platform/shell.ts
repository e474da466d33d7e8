/** What every signed-in page does in the background. */

import { followSignOut } from './endedSession.ts'
import { keepSession } from './keepSession.ts'
import { onReturn } from './onReturn.ts'
import { refreshAllQueries } from './queries.ts'
import { readStoredSession, SESSION_KEY } from './session.ts'

export function startShell(): void {
  // A form signed in without script: the pair is still to be fetched.
  if (!readStoredSession()) {
    window.location.replace('/signed-in')
    return
  }
  keepSession(refreshAllQueries)
  onReturn(refreshAllQueries)
  // Another tab signed out or changed the customer, maybe while this page was in the back/forward cache.
  const mine = readStoredSession()?.user.userUid
  const follow = () => {
    const theirs = readStoredSession()?.user.userUid
    if (!theirs) followSignOut()
    else if (mine && theirs !== mine) window.location.reload()
  }
  window.addEventListener('storage', (event) => {
    if (event.key === SESSION_KEY || event.key === null) follow()
  })
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) follow()
  })
}
