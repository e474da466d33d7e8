// @ts-check
/**
 * The customer chat of the sandbox: what the script of a chat provider does, with answers that come by themselves. It is served as it
 * is, like a provider's script, and brings its own style.
 */
{
  const style = `
    :host { position: fixed; right: 1rem; bottom: 4.5rem; z-index: 40; max-width: calc(100vw - 2rem); }
    details[open] { width: 22rem; max-width: 100%; }
    details { font: 1rem/1.5 system-ui, sans-serif; color: CanvasText; background: Canvas; border: 1px solid GrayText;
      border-radius: 1rem; box-shadow: 0 1rem 3rem rgb(0 0 0 / 0.25); overflow: hidden; }
    summary { padding: 0.625rem 1rem; font-weight: 600; cursor: pointer; }
    button { min-height: 2.75rem; font: inherit; }
    ol { list-style: none; margin: 0; padding: 0.5rem 1rem; height: 14rem; overflow: auto; }
    li { margin-bottom: 0.75rem; overflow-wrap: anywhere; }
    li[data-own] { text-align: right; font-weight: 600; }
    form { display: flex; gap: 0.5rem; padding: 0.75rem; }
    input { flex: 1; min-width: 0; font: inherit; padding: 0 0.75rem; }`
  const host = document.createElement('div')
  host.setAttribute('role', 'complementary')
  host.setAttribute('aria-label', 'Chat')
  const shadow = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  shadow.adoptedStyleSheets = [sheet]
  shadow.innerHTML = `<details open><summary>Chat</summary><ol aria-live="polite"></ol><form><input aria-label="Your message" maxlength="1000" required><button>Send</button></form></details>`
  const [list, form, input] = ['ol', 'form', 'input'].map((what) => shadow.querySelector(what))
  const show = (/** @type {string} */ text, own = false) => {
    const line = document.createElement('li')
    line.textContent = text
    line.toggleAttribute('data-own', own)
    list?.append(line)
    line.scrollIntoView({ block: 'nearest' })
  }
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!(input instanceof HTMLInputElement)) return
    show(input.value, true)
    input.value = ''
    show('Thank you. Nobody reads this chat: in production your support answers here.')
  })
  show('Hello! This is the chat of the sandbox. How can we help?')
  document.body.append(host)
  if (input instanceof HTMLInputElement) input.focus()
}
