/**
 * Shows the General Terms & Conditions in a dialog, from the static agreement file. Without JavaScript, or if the file cannot be loaded,
 * the link opens the page with the terms; a failed load is only logged (spec section 8).
 */
type Section = { title: string; paragraphs: string[] }

const agreement = document.querySelector<HTMLDialogElement>('dialog#agreement')
const body = agreement?.querySelector('[data-sections]')

function element(tag: string, text: string): HTMLElement {
  return Object.assign(document.createElement(tag), { textContent: text })
}

async function load(): Promise<Section[] | undefined> {
  try {
    const answer = await fetch('/agreement.json')
    if (!answer.ok) throw new Error(`it answered ${answer.status}`)
    return await answer.json()
  } catch (error) {
    console.warn('agreement not loaded', error)
    return undefined
  }
}

document.addEventListener('click', async (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-agreement]')
  if (!link || !agreement || !body || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  if (body.childElementCount === 0) {
    const sections = await load()
    if (!sections) {
      location.assign(link.href)
      return
    }
    body.append(
      ...sections.flatMap(({ title, paragraphs }) => [element('h3', title), ...paragraphs.map((text) => element('p', text))])
    )
  }
  agreement.showModal()
})

// The customer must accept the terms before leaving the bank details for the next step.
const accept = document.querySelector<HTMLInputElement>('#bank-details [name=accept]')
const goOn = document.querySelector<HTMLButtonElement>('#bank-details [data-go-on]')
accept?.addEventListener('change', () => {
  if (goOn) goOn.disabled = !accept.checked
})
if (goOn && accept) goOn.disabled = !accept.checked
