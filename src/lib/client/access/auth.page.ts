/** The script of the pages before sign-in: reloads a page that comes from the back/forward cache. */
import { keepTimeZone } from '../platform/cookie.ts'

// So that the first page after signing in shows dates in the device's time zone.
keepTimeZone()

window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
