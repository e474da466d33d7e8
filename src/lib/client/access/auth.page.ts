/** The script of the pages before sign-in: reloads a page that comes from the back/forward cache. */

window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
