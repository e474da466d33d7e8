const AWAY_MS = 60_000

/** Calls back when the customer returns after a minute or more (spec section 4); returns a function that stops it. */
export function onReturn(callBack: () => void): () => void {
  let leftAt = 0
  const look = () => {
    if (document.hidden) leftAt = Date.now()
    else if (leftAt > 0 && Date.now() - leftAt >= AWAY_MS) callBack()
  }
  document.addEventListener('visibilitychange', look)
  return () => document.removeEventListener('visibilitychange', look)
}
