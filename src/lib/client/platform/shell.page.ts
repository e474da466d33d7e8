/** The script of every signed-in page: menu, logout, session. */

import { chatTexts } from '#messages/platform/chat.ts'
import { keepCookie, keepTimeZone } from './cookie.ts'
import { beginSignOut } from './endedSession.ts'
import { connectEye } from './eye.ts'
import { loadChunk } from './loadChunk.ts'

const shell = document.querySelector<HTMLElement>('.shell')
const toggle = document.querySelector('[data-nav-toggle]')

toggle?.addEventListener('click', () => {
  const collapsed = shell?.toggleAttribute('data-collapsed') ?? false
  toggle.setAttribute('aria-pressed', String(collapsed))
  // The collapsed menu hides the labels, so the links need titles.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('#menu nav a')) link.title = link.textContent.trim()
  // The server reads this cookie to render the menu collapsed or open.
  keepCookie('nav', collapsed ? 'collapsed' : 'open')
})

keepTimeZone()
connectEye(document.querySelector<HTMLFormElement>('form[data-eye]'))

/** A failed load, e.g. without a connection, is ignored: the menu still works. */
function openPalette(): void {
  loadChunk(() => import('./palette.ts')).then(
    ({ togglePalette }) => togglePalette(),
    () => undefined
  )
}
document.querySelector('[data-palette]')?.addEventListener('click', openPalette)
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
  event.preventDefault()
  openPalette()
})

document.addEventListener('click', ({ target }) => {
  const opener = target instanceof Element ? target.closest('[command=show-modal]') : null
  const opened = opener && document.getElementById(opener.getAttribute('commandfor') ?? '')
  if (!(opened instanceof HTMLDialogElement)) return
  document.querySelector<HTMLElement>('#menu')?.hidePopover()
  // Browsers that know `command` open it themselves.
  if (!('command' in HTMLButtonElement.prototype)) opened.showModal()
})
document.querySelector<HTMLFormElement>('#log-out form')?.addEventListener('submit', (event) => {
  if (event.submitter?.getAttribute('formmethod') !== 'dialog') beginSignOut()
})
// Skip view transitions to pages outside the shell, which have none: a browser that notices this too late logs an error.
window.addEventListener('pageswap', ({ activation, viewTransition }) => {
  const { pathname } = new URL(activation?.entry?.url ?? '', window.location.href)
  if (!viewTransition || !/^\/(sign-in|sign-in-with-password|sign-up|sign-up-verify|not-me|sandbox.*|legal.*)$/.test(pathname))
    return
  viewTransition.ready.catch(() => undefined)
  viewTransition.skipTransition()
})
// The chat is a third party's: its script is loaded only when the customer opens it.
const chat = document.querySelector<HTMLButtonElement>('[data-chat]')
chat?.addEventListener('click', () => {
  const script = document.createElement('script')
  script.src = chat.dataset.chat ?? ''
  script.onload = () => {
    // The drawer of a phone would cover the chat, which has a button of its own from now on.
    document.querySelector<HTMLElement>('#menu:popover-open')?.hidePopover()
    chat.remove()
  }
  script.onerror = () => {
    script.remove()
    chat.disabled = false
    const label = chat.querySelector('span')
    if (label) label.textContent = chatTexts.tryAgain
  }
  chat.disabled = true
  document.head.append(script)
})
// In a separate task, so that earlier taps are handled first.
setTimeout(async () => (await loadChunk(() => import('./shell.ts'))).startShell())
