/**
 * The parts of the profile: shows the one that the fragment of the address is in, and keeps it where the fragment leads elsewhere, e.g. with
 * the skip link. Settings save themselves when they change.
 */
import { settingsTexts } from '#messages/access/settings.ts'
import { notify } from '../platform/toasts.ts'

const parts = document.querySelector<HTMLElement>('.parts')

function show(): void {
  const id = decodeURIComponent(window.location.hash.slice(1))
  const found = (id && document.getElementById(id)?.closest<HTMLElement>('.part')) || undefined
  const part = found ?? parts?.querySelector<HTMLElement>('[data-shown]') ?? document.querySelector<HTMLElement>('#account')
  for (const one of document.querySelectorAll<HTMLElement>('.part')) one.toggleAttribute('data-shown', one === part)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.parts-nav a'))
    if (link.hash === `#${part?.id}`) {
      link.setAttribute('aria-current', 'true')
      link.scrollIntoView({ block: 'nearest', inline: 'center' })
    } else link.removeAttribute('aria-current')
  parts?.setAttribute('data-live', '')
  // A section inside a part was hidden when the browser looked for it.
  if (found && found.id !== id) document.getElementById(id)?.scrollIntoView()
}

async function save(form: HTMLFormElement): Promise<void> {
  const data = new FormData(form)
  const body = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]))
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  const isSaved = answer?.ok && !new URL(answer.url).searchParams.has('settings')
  notify(isSaved ? 'success' : 'error', isSaved ? settingsTexts.saved : settingsTexts.failed)
  if (!isSaved || !data.has('theme')) return
  const theme = String(data.get('theme'))
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

window.addEventListener('hashchange', show)
show()
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-saves]')) {
  form.querySelector('button')?.setAttribute('hidden', '')
  form.addEventListener('change', () => void save(form))
}
