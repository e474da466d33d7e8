import { useEffect, useState } from 'react'

const SECOND_MS = 1000

/** Epoch milliseconds, updated every second while `running`; 0 until hydrated. */
export function useNow(running: boolean): number {
  const [nowMs, setNowMs] = useState(0)
  useEffect(() => {
    if (!running) return undefined
    setNowMs(Date.now())
    const timer = setInterval(() => setNowMs(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [running])
  return nowMs
}
