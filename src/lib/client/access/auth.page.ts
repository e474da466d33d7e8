/** The script of the pages before sign-in: one that comes back from the browser's memory starts anew. */

window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload()
})
