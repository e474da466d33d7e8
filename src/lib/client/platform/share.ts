import { BRAND } from '#lib/domain/brand.ts'
import { copyTexts } from '#messages/platform/copying.ts'
import { notify } from './toasts.ts'

/** Shares a link or a text through the system's share sheet. Where a browser has none, copies it. */
export async function share(shared: { url: string } | { text: string }): Promise<void> {
  if (typeof navigator.share === 'function') {
    const outcome = await navigator.share({ title: BRAND.name, ...shared }).catch((error: unknown) => error)
    // Closing the share sheet is not a failure; after any other error it is copied.
    if (!(outcome instanceof Error) || outcome.name === 'AbortError') return
  }
  try {
    await navigator.clipboard.writeText(Object.values(shared)[0] ?? '')
    notify('success', copyTexts.copied)
  } catch {
    notify('error', copyTexts.failed)
  }
}
