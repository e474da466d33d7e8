import { useEffect, useState } from 'react'
import { copies } from '#messages/ui/parts.ts'
import { Icon } from './Icon.tsx'

type Props = {
  text: string
  label: string
  word?: string
  /** `primary`: the one button that counts. */
  look?: 'primary'
  onCopied: () => void
  onFailed: () => void
}

const RESET_MS = 2000

/** Copies a text to the clipboard, and shows that for two seconds. */
export function CopyButton({ text, label, word, look, onCopied, onFailed }: Props) {
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), RESET_MS)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      onFailed()
      return
    }
    setCopied(true)
    onCopied()
  }

  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={copies(label)}
      className={
        look
          ? 'button button-primary'
          : `icon-button ${copied ? 'text-green' : ''} ${word ? 'w-auto gap-1.5 px-2 font-medium' : ''}`
      }
    >
      {look ? undefined : word}
      <Icon>{copied ? <path d="M5 12.5l4.5 4.5L19 7.5" /> : <path d="M9 9h10v11H9zM15 9V4H5v11h4" />}</Icon>
      {look && word}
    </button>
  )
}
