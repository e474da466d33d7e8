/** The background work of every signed-in page: keeps the session fresh and follows other tabs. */

import { followSignOut } from './endedSession.ts'
import { keepSession } from './keepSession.ts'
import { onReturn } from './onReturn.ts'
import { refreshAllQueries } from './queries.ts'
import { readStoredSession } from './session.ts'

export function startShell(): void {
  const customer = () => readStoredSession()?.user.userUid
  const mine = customer()
  // The customer signed in with a form, without JavaScript: fetch the token pair, which is not stored here yet.
  if (!mine) {
    window.location.replace('/signed-in')
    return
  }
  keepSession(refreshAllQueries)
  onReturn(refreshAllQueries)
  // Another tab signed out or signed another customer in, maybe while this page was in the back/forward cache.
  const follow = () => {
    const theirs = customer()
    if (!theirs) followSignOut()
    else if (theirs !== mine) window.location.reload()
  }
  window.addEventListener('storage', follow)
  window.addEventListener('pageshow', follow)
}
