/** The browser's part of `client:paint`. */
export default (load) => {
  // Load and hydrate in two tasks, so that a tap between them is handled sooner.
  const hydrate = async () => setTimeout(await load())
  if (document.hidden) hydrate()
  else requestAnimationFrame(() => setTimeout(hydrate))
}
