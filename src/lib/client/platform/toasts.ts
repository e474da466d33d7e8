/** Short messages to the customer. The view that shows them is loaded with the first one. */
import { atom } from 'nanostores'

export type Toast = { id: number; tone: 'success' | 'error' | 'info'; text: string }

export const toasts = atom<Toast[]>([])

let lastId = 0

export function notify(tone: Toast['tone'], text: string): void {
  lastId += 1
  toasts.set([...toasts.get(), { id: lastId, tone, text }])
}

/** Removes and returns the waiting toasts. */
export function takeToasts(): Toast[] {
  const taken = toasts.get()
  if (taken.length > 0) toasts.set([])
  return taken
}

const NEXT_PAGE = 'notice'

/** For a toast on a page that is about to be left: the next page shows it. */
export function notifyNextPage(tone: Toast['tone'], text: string): void {
  sessionStorage.setItem(NEXT_PAGE, JSON.stringify({ tone, text }))
}

export function showWaitingToast(): void {
  const waiting = sessionStorage.getItem(NEXT_PAGE)
  if (!waiting) return
  sessionStorage.removeItem(NEXT_PAGE)
  const { tone, text }: Toast = JSON.parse(waiting)
  notify(tone, text)
}
