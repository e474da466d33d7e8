/** The browser's part of `client:paint`. */
export default (load) => {
  // Running the scripts and waking the page up are two tasks: what is tapped between them is heard sooner.
  const hydrate = async () => setTimeout(await load())
  if (document.hidden) hydrate()
  else requestAnimationFrame(() => setTimeout(hydrate))
}
