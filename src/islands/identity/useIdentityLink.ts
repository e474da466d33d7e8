import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createVerifyIdentity } from '#lib/client/screens/verifyIdentity.ts'

/** The link to the identity check. `onStatus` is told where the check stands whenever the page is looked at again. */
export function useIdentityLink(onStatus: (status: string) => void) {
  const [screen] = useState(() => createVerifyIdentity(onStatus))
  const { url, error } = useStore(screen.state)
  useEffect(() => {
    void screen.load()
    const look = () => {
      if (!document.hidden) void screen.look()
    }
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [screen])
  return { url, error, retry: screen.load }
}
