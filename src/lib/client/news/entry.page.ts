/**
 * The page of an entry that was opened over the list and then reloaded: the browser takes Back for a step within this page, which has no
 * list. So the list is loaded, and `list.page.ts` restores it.
 */
addEventListener('popstate', () => {
  sessionStorage.setItem('news-back', '1')
  location.reload()
})
