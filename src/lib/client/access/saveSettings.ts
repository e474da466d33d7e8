/** Saves a form of settings without leaving the page, and says so. Loaded with the first change. */
import { settingsTexts } from '#messages/access/settings.ts'
import { notify } from '../platform/toasts.ts'

let last: Promise<void> = Promise.resolve()

/** Saves one after the other: the last change wins. */
export function saveSettings(form: HTMLFormElement): Promise<void> {
  last = last.then(() => save(form))
  return last
}

async function save(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form)
  const body = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]))
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  // A session that has ended leads to the sign-in instead.
  const { pathname, searchParams } = new URL(answer?.url ?? form.action)
  const isSaved = answer?.ok && pathname === '/profile' && !searchParams.has('settings')
  notify(isSaved ? 'success' : 'error', isSaved ? settingsTexts.saved : settingsTexts.failed)
  if (!isSaved || !data.has('theme')) return
  const theme = String(data.get('theme'))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
