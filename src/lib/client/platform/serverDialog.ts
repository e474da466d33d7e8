/** A modal that the server renders, shown in place. Without scripts the link loads the page that holds it, open. */

type Served = {
  /** The links that lead to it. */
  link: string
  /** Of the dialog. */
  id: string
  /** The parameters of the URL that name it: a reload shows the page, not the modal again. */
  params: string[]
}

/** A modal that the page was loaded with, or that was fetched: now with a backdrop, the focus and Escape. */
function show(dialog: HTMLDialogElement): void {
  dialog.removeAttribute('open')
  dialog.showModal()
}

async function bring(href: string, id: string): Promise<HTMLDialogElement | null> {
  const answer = await fetch(href).catch(() => undefined)
  const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  const dialog = page?.querySelector<HTMLDialogElement>(`dialog#${id}`)
  return dialog ? document.adoptNode(dialog) : null
}

export function showServerDialog({ link, id, params }: Served): void {
  document.addEventListener('click', async (event) => {
    const pressed = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(link)
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const dialog = await bring(pressed.href, id)
    if (!dialog) {
      window.location.assign(pressed.href)
      return
    }
    document.querySelector(`dialog#${id}`)?.remove()
    pressed.closest('section')?.after(dialog)
    show(dialog)
  })

  const loaded = document.querySelector<HTMLDialogElement>(`dialog#${id}`)
  if (!loaded) return
  const url = new URL(window.location.href)
  for (const name of params) url.searchParams.delete(name)
  window.history.replaceState(window.history.state, '', url)
  show(loaded)
}
