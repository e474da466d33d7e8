import { BRAND } from '#lib/domain/brand.ts'
import { copyTexts } from '#messages/platform/copying.ts'
import { notify } from './toasts.ts'

/** Opens the system's share sheet for a link; if there is none, copies the link. */
export async function shareLink(url: string): Promise<void> {
  if (typeof navigator.share === 'function') {
    const outcome = await navigator.share({ title: BRAND.name, url }).catch((error: unknown) => error)
    // Closing the share sheet is not a failure; after any other error the link is copied.
    if (!(outcome instanceof Error) || outcome.name === 'AbortError') return
  }
  try {
    await navigator.clipboard.writeText(url)
    notify('success', copyTexts.copied)
  } catch {
    notify('error', copyTexts.failed)
  }
}
