import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { Toaster, toast } from 'sonner'
import { takeToasts, toasts } from '#lib/client/platform/toasts.ts'

const SHOWN_MS = 5000
/** Below the head of a page, so that a toast covers neither the logo nor, at the other end, the button that counts. */
const BELOW_HEAD = { top: '4.5rem' }

/** Moves the toasts into the open modal dialog, because it covers everything outside it. */
function placeAbove(host: HTMLElement): void {
  const dialogs = document.querySelectorAll('dialog:modal')
  const top = dialogs[dialogs.length - 1] ?? document.body
  if (host.parentElement !== top) top.append(host)
}

export default function Toasts() {
  const waiting = useStore(toasts)
  const [host] = useState(() => document.createElement('div'))
  useEffect(() => {
    const place = () => placeAbove(host)
    place()
    document.addEventListener('close', place, true)
    return () => document.removeEventListener('close', place, true)
  }, [host])
  useEffect(() => {
    if (waiting.length === 0) return
    placeAbove(host)
    for (const { tone, text } of takeToasts()) toast[tone](text)
  }, [waiting, host])
  return createPortal(
    <Toaster
      position="top-right"
      offset={BELOW_HEAD}
      mobileOffset={BELOW_HEAD}
      duration={SHOWN_MS}
      hotkey={['altKey', 'KeyT']}
      theme="system"
      closeButton
      richColors
    />,
    host
  )
}
