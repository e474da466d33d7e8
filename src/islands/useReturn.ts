import { useEffect } from 'react'

const AWAY_MS = 60_000

/** Calls back when the page is looked at again after a minute or more (spec section 4). */
export function useReturn(onReturn: () => void): void {
  useEffect(() => {
    let leftAt = 0
    const look = () => {
      if (document.hidden) leftAt = Date.now()
      else if (leftAt > 0 && Date.now() - leftAt >= AWAY_MS) onReturn()
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [onReturn])
}
