/** The keys of the desk. They rest while a field has the focus, and none of them moves money: `E` opens a decision, the passkey makes it. */

const CHORD_MS = 1500

const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('tr a.go')]

function move(step: number): void {
  const all = rows()
  if (all.length === 0) return
  const focused = all.indexOf(document.activeElement as HTMLAnchorElement)
  const selected = all.findIndex((one) => one.closest('tr')?.getAttribute('aria-selected') === 'true')
  const from = focused >= 0 ? focused : selected >= 0 ? selected : step > 0 ? -1 : all.length
  const next = all[Math.min(all.length - 1, Math.max(0, from + step))]
  next?.focus()
}

/** The first field of the decision; the part that it is folded into opens. */
function decide(): void {
  const field = document.querySelector<HTMLElement>('[data-decision] :is(input:not([type=hidden]), textarea)')
  const folded = field?.closest('details')
  if (folded) folded.open = true
  field?.focus()
}

export function startKeys(): void {
  let chordUntil = 0
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const now = performance.now()
    if (now < chordUntil) {
      chordUntil = 0
      const link = document.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(key.toLowerCase())}"]`)
      if (link) location.assign(link.href)
      return
    }
    if (key === 'g') chordUntil = now + CHORD_MS
    else if (key === 'j') move(1)
    else if (key === 'k') move(-1)
    else if (key === 'e') decide()
    else if (key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
    else if (key === '?') document.querySelector<HTMLElement>('#keymap')?.togglePopover()
    else return
    event.preventDefault()
  })
}
