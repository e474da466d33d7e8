import { useId } from 'react'
import { explains } from '#messages/ui/parts.ts'
import { Icon } from './Icon.tsx'

type Props = { label: string; text: string }

/** A label whose explanation opens on a press, in the browser's own popover. */
export function Explain({ label, text }: Props) {
  const id = useId()
  return (
    <span className="inline-flex items-center">
      {label}
      <button type="button" popoverTarget={id} aria-label={explains(label)} className="icon-button -my-2 -mr-3">
        <Icon>
          <circle cx="12" cy="12" r="9" />
          <path d="M12 11v5M12 8v.1" />
        </Icon>
      </button>
      <span id={id} popover="auto" className="card m-auto max-w-xs p-4 text-sm font-normal text-ink">
        {text}
      </span>
    </span>
  )
}
