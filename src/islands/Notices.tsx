/** Shows notices: top right, 5 s, Alt+T (spec section 9). sonner is loaded with the first one. */
import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { notices, showWaitingNotice } from '#lib/client/notices.ts'

const Toasts = lazy(() => import('./Toasts.tsx'))

export function Notices() {
  const hasWaiting = useStore(notices, { ssr: 'initial' }).length > 0
  const [shown, setShown] = useState(false)
  useEffect(showWaitingNotice, [])
  useEffect(() => {
    // Once there it stays: later notices go to the same region.
    if (hasWaiting) setShown(true)
  }, [hasWaiting])
  return (
    shown && (
      <Suspense>
        <Toasts />
      </Suspense>
    )
  )
}
