/** The text of a policy in its dialog, from its own page. Loaded when one is first opened. */

/** False where it cannot be had: the link then leads to the page itself. */
export async function openTerms(href: string, dialog: HTMLDialogElement): Promise<boolean> {
  const body = dialog.querySelector('[data-terms]')
  if (!body) return false
  if (body.childElementCount === 0) {
    const answer = await fetch(href).catch(() => undefined)
    const page = answer?.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
    const text = page?.querySelector('[data-text]')
    if (!text) return false
    body.append(document.importNode(text, true))
  }
  dialog.showModal()
  return true
}
