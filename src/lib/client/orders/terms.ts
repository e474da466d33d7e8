/** Shows a policy in a dialog, with the text of the policy's own page. */

/** Loads the text on the first opening. Returns false if that fails; then follow the link to the page itself. */
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
