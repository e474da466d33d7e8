/** Short messages to the customer. The view that shows them is loaded with the first one. */
import { atom } from 'nanostores'

export type Notice = { id: number; tone: 'success' | 'error' | 'info'; text: string }

export const notices = atom<Notice[]>([])

let lastId = 0

export function notify(tone: Notice['tone'], text: string): void {
  lastId += 1
  notices.set([...notices.get(), { id: lastId, tone, text }])
}

/** Removes and returns the waiting notices. */
export function takeNotices(): Notice[] {
  const taken = notices.get()
  if (taken.length > 0) notices.set([])
  return taken
}

const NEXT_PAGE = 'notice'

/** For a notice on a page that is about to be left: the next page shows it. */
export function notifyNextPage(tone: Notice['tone'], text: string): void {
  sessionStorage.setItem(NEXT_PAGE, JSON.stringify({ tone, text }))
}

export function showWaitingNotice(): void {
  const waiting = sessionStorage.getItem(NEXT_PAGE)
  if (!waiting) return
  sessionStorage.removeItem(NEXT_PAGE)
  const { tone, text }: Notice = JSON.parse(waiting)
  notify(tone, text)
}
