import { useEffect } from 'react'

/** Calls back every `everyMs` while something is awaited (`isWaiting`) and the page is visible, and at once when it is seen again. */
export function useFollow(callBack: () => unknown, isWaiting: boolean, everyMs: number): void {
  useEffect(() => {
    if (!isWaiting) return
    const look = () => {
      if (document.visibilityState === 'visible') callBack()
    }
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [callBack, isWaiting, everyMs])
}
