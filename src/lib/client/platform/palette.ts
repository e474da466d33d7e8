/** The command palette (Ctrl K, ⌘ K), loaded when first opened. It finds pages, tokens and the customer's orders, and knows verbs. */
import type { Answer } from '#lib/contract/types.ts'
import { TOKENS } from '#lib/domain/money/currencies.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur } from '#lib/format/amount.ts'
import { paletteTexts as texts } from '#messages/platform/palette.ts'
import { call } from './call.ts'
import { goTo } from './navigation.ts'
import { deedsOf } from './verbs.ts'

type Entry = { label: string; about: string; href: string; found: string }

const MOST_SHOWN = 8
const ORDERS = 100

const plain = (text: string) => text.replace(/\s/g, '').toLowerCase()
const entry = (label: string, about: string, href: string): Entry => ({ label, about, href, found: plain(`${label}${about}`) })

const labelOf = (link: HTMLAnchorElement) => (link.querySelector('span') ?? link).textContent?.trim() ?? ''

/** The pages in the rendered menu, and further pages and page sections that the menu does not list. */
function pages(): Entry[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#menu nav a[href], .phone-bar a')]
  const named = new Map(links.map((link) => [link.pathname, entry(labelOf(link), texts.pages, link.pathname)]))
  return [
    ...named.values(),
    entry(texts.notices, texts.pages, '/notices'),
    entry(texts.settings, texts.pages, '/profile#settings'),
    entry(texts.security, texts.pages, '/profile#security'),
    ...['PTC', 'CPC'].map((token) => entry(texts.buy(token), texts.pages, `/package-detail/${token}`)),
    entry(texts.deposits, texts.pages, '/package-history?tab=deposit'),
    entry(texts.withdrawals, texts.pages, '/package-history?tab=withdrawal')
  ]
}

const tokens = () =>
  TOKENS.flatMap(({ code, name, subName }) => [
    entry(name, `${subName} · ${texts.token}`, `/token/${code}`),
    entry(name, texts.statement, `/statement/${code}`)
  ])

type Order = Answer<'listOrders'>['results'][number]

function entriesOf(orders: Order[]): Entry[] {
  return orders.map(({ id, name, euroToPay }) =>
    entry(`${name}, ${formatEur(euroToPay)}`, `${texts.order} ${groupReference(id)}`, `/package-history?tab=order&order=${id}`)
  )
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

function build() {
  const input = element('input', {
    type: 'search',
    class: 'input',
    role: 'combobox',
    'aria-label': texts.title,
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    placeholder: texts.placeholder,
    autocomplete: 'off',
    spellcheck: 'false'
  })
  const list = element('ul', { id: 'palette-list', role: 'listbox', 'aria-label': texts.results })
  const none = element('p', { role: 'status', class: 'palette-none' })
  const keys = element('p', { class: 'palette-keys' }, texts.keys)
  const dialog = element('dialog', { class: 'dialog palette', 'aria-label': texts.title }, input, list, none, keys)
  let all: Entry[] = []
  let open: Order[] = []
  let shown: Entry[] = []
  let chosen = 0

  function draw(): void {
    const wanted = plain(input.value)
    const deeds = deedsOf(input.value, open).map(({ label, about, href }) => entry(label, about, href))
    const found = all.filter((one) => one.found.includes(wanted) && !deeds.some(({ href }) => href === one.href))
    shown = [...deeds, ...found].slice(0, MOST_SHOWN)
    chosen = Math.min(chosen, Math.max(shown.length - 1, 0))
    none.textContent = shown.length === 0 ? texts.none : ''
    list.replaceChildren(
      ...shown.map(({ label, about, href }, index) =>
        element(
          'li',
          { id: `palette-${index}`, role: 'option', 'aria-selected': String(index === chosen), 'data-href': href },
          element('b', {}, label),
          element('small', {}, about)
        )
      )
    )
    if (shown.length > 0) input.setAttribute('aria-activedescendant', `palette-${chosen}`)
    else input.removeAttribute('aria-activedescendant')
  }

  input.addEventListener('input', () => {
    chosen = 0
    draw()
  })
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && shown.length > 0) {
      chosen = (chosen + step + shown.length) % shown.length
      event.preventDefault()
      draw()
    }
    const target = shown[chosen]
    if (event.key === 'Enter' && target) {
      event.preventDefault()
      dialog.close()
      goTo(target.href)
    }
  })
  dialog.addEventListener('click', ({ target }) => {
    const option = target instanceof Element ? target.closest<HTMLElement>('[data-href]') : null
    if (target === dialog || option) dialog.close()
    if (option?.dataset.href) goTo(option.dataset.href)
  })
  document.body.append(dialog)

  return () => {
    if (dialog.open) return dialog.close()
    all = [...pages(), ...tokens()]
    input.value = ''
    chosen = 0
    draw()
    dialog.showModal()
    input.focus()
    // Orders load in the background; if that fails, the rest still works.
    call('listOrders', { query: { limit: ORDERS } }).then(
      ({ results }) => {
        open = results.filter(({ status }) => status === ORDER_STATUS.pending)
        all = [...all, ...entriesOf(results)]
        draw()
      },
      () => undefined
    )
  }
}

let toggle: (() => void) | undefined

/** Opens the palette, or closes it if it is open. */
export function togglePalette(): void {
  toggle ??= build()
  toggle()
}
