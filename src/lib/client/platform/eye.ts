/** The eye button hides every amount at once; a cookie makes the server hide them on the next pages too. */
import { keepCookie } from './cookie.ts'

export function connectEye(form: HTMLFormElement | null): void {
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const isPrivate = document.documentElement.toggleAttribute('data-private')
    keepCookie('private', isPrivate ? '1' : '')
    const button = form.querySelector('button')
    button?.setAttribute('aria-pressed', String(isPrivate))
    if (button) button.value = isPrivate ? 'show' : 'hide'
  })
}
