import type { ReactNode } from 'react'
import { cancelText } from '#messages/ui/parts.ts'
import { Button } from './Button.tsx'

type Props = {
  busy: boolean
  busyLabel: string
  label: string
  onCancel: () => void
  /** `ThumbSay`, the figure that counts. With it, the buttons stay within reach of the thumb on a phone; the page needs `Thumb.css`. */
  say?: ReactNode
}

/** The buttons of a dialog's form; on a phone the submit button comes first. */
export function Actions({ busy, busyLabel, label, onCancel, say }: Props) {
  return (
    <div className={say ? 'thumb' : 'mt-2 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end'}>
      {say}
      <Button look="quiet" onClick={onCancel}>
        {cancelText}
      </Button>
      <Button type="submit" busy={busy} busyLabel={busyLabel}>
        {label}
      </Button>
    </div>
  )
}
