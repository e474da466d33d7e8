/** The background work of every signed-in page: keeps the session fresh and follows other tabs. */

import { followSignOut } from './endedSession.ts'
import { keepSession } from './keepSession.ts'
import { onReturn } from './onReturn.ts'
import { refreshAllQueries } from './queries.ts'
import { readStoredSession, SESSION_KEY } from './session.ts'

export function startShell(): void {
  // The customer signed in with a form, without JavaScript: fetch the token pair, which is not stored here yet.
  if (!readStoredSession()) {
    window.location.replace('/signed-in')
    return
  }
  keepSession(refreshAllQueries)
  onReturn(refreshAllQueries)
  // Another tab signed out or signed another customer in, maybe while this page was in the back/forward cache.
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
