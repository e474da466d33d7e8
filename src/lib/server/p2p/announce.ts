/** Tells every process that the book or the trades have changed. */
import { sql } from 'drizzle-orm'
import type { Context } from '../platform/context.ts'
import type { Work } from '../platform/transaction.ts'

export const BOOK_CHANNEL = 'p2p_book'
/** Changes within this time are sent as one. */
export const TOGETHER_MS = 200

const announcement = sql`select pg_notify(${BOOK_CHANNEL}, '')`

/** Notifies every process that the book has changed, when the transaction commits. */
export async function announceChange({ tx }: Work): Promise<void> {
  await tx.execute(announcement)
}

/** When the last notification was sent, and whether another one is scheduled. */
const announcements = new WeakMap<Context, { sentAt: number; isWaiting: boolean }>()

/**
 * Notifies every process, after a commit, that the book has changed: at once, but at most once in `TOGETHER_MS`. Inside the transaction
 * each commit would wait for the one before, because PostgreSQL keeps notifications in order. If the process dies in between, nobody is
 * notified; open streams then read again by themselves, after 30 s.
 */
export function announceSoon(context: Context): void {
  const state = announcements.get(context) ?? { sentAt: Number.NEGATIVE_INFINITY, isWaiting: false }
  announcements.set(context, state)
  if (state.isWaiting) return
  const announce = () => {
    Object.assign(state, { sentAt: performance.now(), isWaiting: false })
    context.db.execute(announcement).catch((error: unknown) => context.log.warn({ err: error }, 'the book was not announced'))
  }
  const wait = state.sentAt + TOGETHER_MS - performance.now()
  if (wait <= 0) {
    announce()
    return
  }
  state.isWaiting = true
  setTimeout(announce, wait).unref()
}
