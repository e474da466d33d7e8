/**
 * The parts of the profile: shows the one that the fragment of the address is in, and keeps it where the fragment leads elsewhere, e.g. with
 * the skip link. Settings save themselves when they change.
 */
import { loadChunk } from '../platform/loadChunk.ts'

const [nav] = document.getElementsByClassName('parts-nav')

function show(): void {
  const id = location.hash.slice(1)
  const target = id ? document.getElementById(id) : null
  const part = target?.closest('.part') ?? document.querySelector('.part[data-shown]') ?? document.querySelector('.part')
  for (const one of document.querySelectorAll('.part')) one.toggleAttribute('data-shown', one === part)
  for (const link of nav?.children ?? []) link.ariaCurrent = link.getAttribute('href') === `#${part?.id}` ? 'true' : null
  // A section inside a part was hidden when the browser looked for it.
  if (target !== part) target?.scrollIntoView()
}

window.addEventListener('hashchange', show)
show()
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-saves]')) {
  form.querySelector('button')?.setAttribute('hidden', '')
  form.addEventListener('change', async () => (await loadChunk(() => import('./saveSettings.ts'))).saveSettings(form))
}
