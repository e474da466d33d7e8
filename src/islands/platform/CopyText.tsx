import { notify } from '#lib/client/platform/toasts.ts'
import { copyTexts } from '#messages/platform/copying.ts'
import { CopyButton } from '../ui/CopyButton.tsx'

/** Copies a text and shows a toast about it. `word` is shown next to the icon. */
export function CopyText(props: { text: string; label: string; word?: string; look?: 'primary' }) {
  return (
    <CopyButton
      {...props}
      onCopied={() => notify('success', copyTexts.copied)}
      onFailed={() => notify('error', copyTexts.failed)}
    />
  )
}
