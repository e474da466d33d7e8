import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import { notices, takeNotices } from '#lib/client/platform/notices.ts'

const SHOWN_MS = 5000

export default function Toasts() {
  const waiting = useStore(notices)
  useEffect(() => {
    if (waiting.length === 0) return
    for (const { tone, text } of takeNotices()) toast[tone](text)
  }, [waiting])
  return <Toaster position="top-right" duration={SHOWN_MS} hotkey={['altKey', 'KeyT']} theme="system" closeButton richColors />
}
