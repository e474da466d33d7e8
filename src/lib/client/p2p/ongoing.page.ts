/** The script of the tab with the customer's open orders: follows the live book, and shows what became of them without a reload. */
import { book, followBook } from './book.ts'

const TOGETHER_MS = 500
const list = document.querySelector<HTMLElement>('[data-ongoing]')

let asked = 0
let shown = 0

/** An answer that a newer one overtook is dropped. */
async function renew(): Promise<void> {
  asked += 1
  const number = asked
  const answer = await fetch(window.location.href, { headers: { accept: 'text/html' } }).catch(() => undefined)
  if (!answer?.ok || answer.redirected) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (number < shown) return
  shown = number
  const newer = page.querySelector('[data-ongoing]')
  if (newer && list && newer.innerHTML !== list.innerHTML) list.replaceChildren(...newer.childNodes)
}

if (list) {
  let timer: ReturnType<typeof setTimeout> | undefined
  followBook(list.dataset.ongoing ?? '')
  book.listen(() => {
    clearTimeout(timer)
    timer = setTimeout(() => void renew(), TOGETHER_MS)
  })
}
