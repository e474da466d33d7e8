/** Shows toasts: top right, 5 s, Alt+T (spec section 9). sonner is loaded with the first one. */
import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import { loadStyles } from '#lib/client/platform/loadStyles.ts'
import { showWaitingToast, toasts } from '#lib/client/platform/toasts.ts'
import toastStyles from './toasts.css?url'

/** Falls back to plain sentences if sonner cannot be loaded, e.g. without a connection. */
const Toasts = lazy(() =>
  // Not React's `<link>`: it would delay commits, and with them typed text, until the styles have loaded.
  Promise.all([loadChunk(() => import('./Toasts.tsx')), loadStyles(toastStyles)])
    .then(([view]) => view)
    .catch(() => ({ default: PlainNotices }))
)

export function ToastRegion() {
  const hasWaiting = useStore(toasts, { ssr: 'initial' }).length > 0
  const [shown, setShown] = useState(false)
  useEffect(showWaitingToast, [])
  useEffect(() => {
    // Stays mounted: later toasts go to the same region.
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

function PlainNotices() {
  const waiting = useStore(toasts)
  return (
    <div role="alert" className="fixed top-4 right-4 z-50 grid max-w-xs gap-2">
      {waiting.map(({ id, text }) => (
        <p key={id} className="card p-4">
          {text}
        </p>
      ))}
    </div>
  )
}
