/**
 * Shows the payout plan of the chosen package under its card, anew with each choice. Without it, a button of the form loads the page
 * with the plan.
 */
const form = document.querySelector<HTMLFormElement>('form[data-plan]')
const plan = document.querySelector<HTMLElement>('#plan')
const button = form?.querySelector<HTMLButtonElement>('button[name=plan]')

let asked: AbortController | undefined

async function showPlan(form: HTMLFormElement, shown: HTMLElement): Promise<void> {
  asked?.abort()
  asked = new AbortController()
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  if (query.get('staking') === '0') {
    shown.hidden = true
    return
  }
  query.set('plan', '1')
  const answer = await fetch(`${window.location.pathname}?${query}`, { signal: asked.signal })
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const found = page.querySelector('#plan')
  if (!found) return
  shown.replaceChildren(...found.childNodes)
  shown.hidden = false
}

if (form && plan && button) {
  button.hidden = true
  // Nothing is lost if it fails: the reward stands in the card, and the next choice asks again.
  const refresh = () => void showPlan(form, plan).catch(() => undefined)
  form.addEventListener('change', refresh)
  if (plan.hidden) refresh()
}
