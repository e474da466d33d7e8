/** The browser's part of `client:paint`. */
export default (load) => {
  const hydrate = async () => {
    // What a page that works without scripts names here is asked for at once, so that no script waits for another.
    for (const href of document.body.dataset.scripts?.split(' ') ?? [])
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    // Load and hydrate in two tasks, so that a tap between them is handled sooner.
    setTimeout(await load())
  }
  if (document.hidden) hydrate()
  else requestAnimationFrame(() => setTimeout(hydrate))
}
