import { cancelText } from '#messages/ui/parts.ts'
import { Button } from './Button.tsx'
import { ThumbSay } from './Thumb.tsx'

type Props = {
  busy: boolean
  busyLabel: string
  label: string
  onCancel: () => void
  /** The figure that counts. With it, the buttons stay within reach of the thumb on a phone; the page needs `Thumb.css`. */
  figure?: { label: string; value: string }
}

/** The buttons of a dialog's form; on a phone the submit button comes first. */
export function Actions({ busy, busyLabel, label, onCancel, figure }: Props) {
  return (
    <div className={figure ? 'thumb' : 'mt-2 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end'}>
      {figure && <ThumbSay label={figure.label} figure={figure.value} />}
      <Button look="quiet" onClick={onCancel}>
        {cancelText}
      </Button>
      <Button type="submit" busy={busy} busyLabel={busyLabel}>
        {label}
      </Button>
    </div>
  )
}
