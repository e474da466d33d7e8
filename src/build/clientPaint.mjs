/** The browser's part of `client:paint`. */
export default (load) => {
  const hydrate = async () => {
    // A page that works without scripts lists its scripts in `data-scripts`: request them all now, so that none waits for another.
    for (const href of document.body.dataset.scripts?.split(' ') ?? [])
      document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    // Load and hydrate in two tasks, so that a tap between them is handled sooner.
    setTimeout(await load())
  }
  if (document.hidden) hydrate()
  else requestAnimationFrame(() => setTimeout(hydrate))
}
