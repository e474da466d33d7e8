/**
 * The script of an entry's own page. If an entry was opened over the list and then reloaded, the browser treats Back as a step within
 * this page: the URL becomes the list's, but the page has no list. So load the list; `list.page.ts` restores it.
 */
addEventListener('popstate', () => {
  sessionStorage.setItem('news-back', '1')
  location.reload()
})
