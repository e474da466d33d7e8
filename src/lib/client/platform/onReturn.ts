const AWAY_MS = 60_000

/** Calls back when the page is looked at again after a minute or more (spec section 4); returns what ends that. */
export function onReturn(callBack: () => void): () => void {
  let leftAt = 0
  const look = () => {
    if (document.hidden) leftAt = Date.now()
    else if (leftAt > 0 && Date.now() - leftAt >= AWAY_MS) callBack()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
