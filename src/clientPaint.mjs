/** The browser's part of `client:paint`. */
export default (load) => {
  const hydrate = async () => (await load())()
  if (document.hidden) hydrate()
  else requestAnimationFrame(() => setTimeout(hydrate))
}
