/** Opens a project's modal on the dashboard. Without JavaScript the tile leads to a page where the modal is open. */

/** Reopens a dialog that is already open in the HTML as a modal, with backdrop, focus and Escape. */
function show(dialog: HTMLDialogElement): void {
  dialog.removeAttribute('open')
  dialog.showModal()
}

async function bring(href: string): Promise<HTMLDialogElement | null> {
  const answer = await fetch(href).catch(() => undefined)
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  const dialog = page?.querySelector<HTMLDialogElement>('dialog#project')
  return dialog ? document.adoptNode(dialog) : null
}

document.addEventListener('click', async (event) => {
  const tile = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a.tile')
  if (!tile || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const dialog = await bring(tile.href)
  if (!dialog) {
    window.location.assign(tile.href)
    return
  }
  document.querySelector('dialog#project')?.remove()
  tile.closest('section')?.after(dialog)
  show(dialog)
})

const loaded = document.querySelector<HTMLDialogElement>('dialog#project')
if (loaded) {
  // A reload shows the dashboard, not the modal again.
  window.history.replaceState(window.history.state, '', window.location.pathname)
  show(loaded)
}
