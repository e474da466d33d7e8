/**
 * The list of news: loads older entries when the reader nears the end, and opens an entry over the list. Without JavaScript the same
 * links open pages. The loaded entries are kept for five minutes, so that Back restores the list and its scroll position.
 */
import { onReturn } from '../platform/onReturn.ts'

const NEAR_PX = 1000
const FRESH_MS = 5 * 60_000
const KEPT = 'news-list'

type Kept = { at: number; cards: string; more: string; scrollY: number }

const list = document.querySelector<HTMLElement>('[data-news]')
const more = document.querySelector<HTMLElement>('[data-more]')
const status = document.querySelector<HTMLElement>('[data-news-status]')
const texts = document.querySelector<HTMLElement>('[data-news-texts]')?.dataset ?? {}
const pages = new Map<string, { at: number; page: Document }>()
let loadedAt = Date.now()
let isLoading = false

async function fetchPage(href: string): Promise<Document | undefined> {
  const known = pages.get(href)
  if (known && Date.now() - known.at < FRESH_MS) return known.page
  const answer = await fetch(href).catch(() => undefined)
  // A redirect means that the customer has signed out: this is another page.
  if (!answer?.ok || answer.redirected) return undefined
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  pages.set(href, { at: Date.now(), page })
  return page
}

function take(cards: Iterable<Element>, next: string): void {
  // A newly published entry shifts the pages, so skip entries that are already in the list.
  const shown = new Set([...(list?.children ?? [])].map((card) => card.getAttribute('data-entry')))
  for (const card of cards) if (!shown.has(card.getAttribute('data-entry'))) list?.append(document.adoptNode(card))
  if (more) more.innerHTML = next
}

async function loadMore(): Promise<void> {
  const link = more?.querySelector<HTMLAnchorElement>('a[rel=next]')
  if (!link || isLoading) return
  isLoading = true
  if (status) status.textContent = texts.loading ?? ''
  const page = await fetchPage(link.href)
  const found = page?.querySelector('[data-more]')
  if (page && found) take([...page.querySelectorAll('[data-news] > li')], found.innerHTML)
  else if (!more?.querySelector('[role=alert]')) {
    const failed = Object.assign(document.createElement('p'), { textContent: texts.failed ?? '', className: 'mb-4 text-red' })
    failed.setAttribute('role', 'alert')
    more?.prepend(failed)
  }
  if (status) status.textContent = ''
  isLoading = false
  // Still near the end: the observer reports only changes, so load again.
  if (page && more && more.getBoundingClientRect().top < innerHeight + NEAR_PX) void loadMore()
}

function keep(): void {
  if (!list || !more) return
  const kept: Kept = { at: loadedAt, cards: list.innerHTML, more: more.innerHTML, scrollY }
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept))
  } catch {
    // The storage is full: Back then leads to the top of the list.
  }
}

function restore(): void {
  const [entry] = performance.getEntriesByType('navigation')
  const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null')
  const isBack =
    (entry instanceof PerformanceNavigationTiming && entry.type === 'back_forward') || sessionStorage.getItem('news-back') === '1'
  sessionStorage.removeItem('news-back')
  if (!isBack || !kept || !list || !more || Date.now() - kept.at > FRESH_MS) return
  list.innerHTML = kept.cards
  more.innerHTML = kept.more
  loadedAt = kept.at
  // Otherwise the browser restores the scroll position of the page that was here before.
  history.scrollRestoration = 'manual'
  scrollTo(0, kept.scrollY)
}

/** Opens the entry over the list. If it cannot be loaded, goes to the entry's own page, which says why. */
async function open(href: string): Promise<void> {
  const article = (await fetchPage(href))?.querySelector('[data-article]')
  if (!article) {
    location.assign(href)
    return
  }
  document.querySelector('dialog.article-modal')?.remove()
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog article-modal'
  dialog.setAttribute('aria-labelledby', 'article-title')
  const form = Object.assign(document.createElement('form'), { method: 'dialog' })
  const close = Object.assign(document.createElement('button'), {
    className: 'icon-button',
    textContent: '✕',
    ariaLabel: texts.close
  })
  form.append(close)
  dialog.append(form, document.importNode(article, true))
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (history.state?.entry) history.back()
  })
  document.body.append(dialog)
  dialog.showModal()
}

list?.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('h2 a')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return
  event.preventDefault()
  // Before loading, so that Back leads to the list even while the entry loads.
  history.pushState({ entry: link.href }, '', link.href)
  void open(link.href)
})

addEventListener('popstate', ({ state }) => {
  if (state?.entry) void open(state.entry)
  else document.querySelector<HTMLDialogElement>('dialog.article-modal')?.close()
})

more?.addEventListener('click', (event) => {
  if (!(event.target instanceof Element && event.target.closest('a[rel=next]'))) return
  event.preventDefault()
  void loadMore()
})

addEventListener('pagehide', keep)
onReturn(() => {
  if (Date.now() - loadedAt > FRESH_MS && !document.querySelector('dialog[open]')) location.reload()
})
restore()
if (more)
  new IntersectionObserver(([seen]) => seen?.isIntersecting && void loadMore(), { rootMargin: `${NEAR_PX}px` }).observe(more)
