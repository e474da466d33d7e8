import { cancelText } from '#messages/ui/parts.ts'
import { Button } from './Button.tsx'

type Props = { busy: boolean; busyLabel: string; label: string; onCancel: () => void }

/** The buttons of a dialog's form; on a phone the submit button comes first. */
export function Actions({ busy, busyLabel, label, onCancel }: Props) {
  return (
    <div className="mt-2 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
      <Button look="quiet" onClick={onCancel}>
        {cancelText}
      </Button>
      <Button type="submit" busy={busy} busyLabel={busyLabel}>
        {label}
      </Button>
    </div>
  )
}
