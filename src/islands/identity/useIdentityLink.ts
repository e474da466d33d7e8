import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createVerifyIdentity } from '#lib/client/identity/verifyIdentity.ts'
import { useFollow } from '../platform/useFollow.ts'

const FOLLOW_MS = 15_000

/** The link to the identity check. `onStatus` receives its status whenever the customer returns to the page. */
export function useIdentityLink(onStatus: (status: string) => void) {
  const latest = useRef(onStatus)
  const [screen] = useState(() => createVerifyIdentity((status) => latest.current(status)))
  const { url, error } = useStore(screen.state)
  useEffect(() => {
    latest.current = onStatus
  }, [onStatus])
  useEffect(() => {
    void screen.load()
    const look = () => {
      if (!document.hidden) void screen.look()
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      screen.stop()
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [screen])
  // It may be completed on another device, by the copied link.
  useFollow(screen.look, true, FOLLOW_MS)
  return { url, error, retry: screen.load }
}
