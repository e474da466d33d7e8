import { BRAND } from '#lib/domain/brand.ts'
import { copyTexts } from '#messages/platform/copying.ts'
import { notify } from './toasts.ts'

/** Opens the system's share sheet for a link; if there is none, copies the link. */
export function shareLink(url: string): Promise<void> {
  return share({ title: BRAND.name, url }, url)
}

/** The same for a text, e.g. an address. */
export function shareText(text: string): Promise<void> {
  return share({ title: BRAND.name, text }, text)
}

async function share(shared: ShareData, copied: string): Promise<void> {
  if (typeof navigator.share === 'function') {
    const outcome = await navigator.share(shared).catch((error: unknown) => error)
    // Closing the share sheet is not a failure; after any other error it is copied.
    if (!(outcome instanceof Error) || outcome.name === 'AbortError') return
  }
  try {
    await navigator.clipboard.writeText(copied)
    notify('success', copyTexts.copied)
  } catch {
    notify('error', copyTexts.failed)
  }
}
