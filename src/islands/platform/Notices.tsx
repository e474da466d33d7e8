/** Shows notices: top right, 5 s, Alt+T (spec section 9). sonner is loaded with the first one. */
import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadChunk } from '#lib/client/platform/loadChunk.ts'
import { loadStyles } from '#lib/client/platform/loadStyles.ts'
import { notices, showWaitingNotice } from '#lib/client/platform/notices.ts'
import toastStyles from './toasts.css?url'

/** Where even that cannot be loaded, e.g. without a connection, the sentences are shown plainly. */
const Toasts = lazy(() =>
  // A `<link>` of React's own would hold back its commits until it is loaded, and with them what is typed meanwhile.
  Promise.all([loadChunk(() => import('./Toasts.tsx')), loadStyles(toastStyles)])
    .then(([toasts]) => toasts)
    .catch(() => ({ default: PlainNotices }))
)

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

function PlainNotices() {
  const waiting = useStore(notices)
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
