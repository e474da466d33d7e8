import { notify } from '#lib/client/platform/toasts.ts'
import { copyTexts } from '#messages/platform/copying.ts'
import { CopyButton } from '../ui/CopyButton.tsx'

/** Copies a text and says whether that worked. `word` is shown beside the sign. */
export function CopyText(props: { text: string; label: string; word?: string }) {
  return (
    <CopyButton
      {...props}
      onCopied={() => notify('success', copyTexts.copied)}
      onFailed={() => notify('error', copyTexts.failed)}
    />
  )
}
