/** The live book: each process loads it once per change, and sends it to all streams that are open there. */
import { sql } from 'drizzle-orm'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { endedAmong } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { outsideTrace } from '../platform/tracing.ts'
import type { Work } from '../platform/transaction.ts'
import { loadBook } from './read.ts'

const BOOK_CHANNEL = 'p2p_book'
/** Changes within this time are sent as one. */
const TOGETHER_MS = 200
/** How often sessions are checked, and after which silence a stream gets a sign of life. */
const TEND_EVERY_MS = 3000
const SIGN_OF_LIFE_EVERY_MS = 20_000
const MOST_STREAMS = 5000
/** Streams of one account; when one more is opened, the oldest one ends. */
const MOST_OF_AN_ACCOUNT = 10
/** An older book is loaded again, in case a notification was lost. */
const OLDEST_MS = 30_000
/** Messages that a slow reader may have waiting before its stream is closed: it reconnects and gets the newest book. */
const MOST_WAITING = 4

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
 * notified; open streams then load the book by themselves, every `OLDEST_MS`.
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

type Stream = {
  userId: string
  sessionId: string
  endsAt: number
  controller: ReadableStreamDefaultController<Uint8Array>
  sentAt: number
  /** The book that it was sent last. */
  book: Buffer
}
type Listen = (channel: string, onNotification: () => void) => Promise<() => Promise<void>>
export type BookFeed = { open: (customer: Customer, until: Date) => Promise<Response>; close: () => Promise<void> }

const PING = Buffer.from(': \n\n')

export function createBookFeed(context: Context, listen: Listen): BookFeed {
  const streams = new Set<Stream>()
  let unlisten: Promise<() => Promise<void>> | undefined
  let tending: ReturnType<typeof setInterval> | undefined
  let waiting: ReturnType<typeof setTimeout> | undefined
  let newest: Promise<Buffer> | undefined
  let loadedAt = Number.NEGATIVE_INFINITY
  let latest: Buffer | undefined
  let isClosed = false

  const load = async () => {
    loadedAt = performance.now()
    const book = await loadBook(context, { assetCurrency: P2P_ASSET, settlementCurrency: P2P_SETTLEMENT })
    const message = Buffer.from(`event: book\ndata: ${JSON.stringify(book)}\n\n`)
    // The same object for the same book, so that a comparison shows which streams have it already.
    if (!latest?.equals(message)) latest = message
    return latest
  }

  function end(stream: Stream): void {
    if (!streams.delete(stream)) return
    try {
      stream.controller.close()
    } catch {
      // The reader has gone already.
    }
  }

  function sendTo(stream: Stream, message: Uint8Array, nowMs: number): void {
    if ((stream.controller.desiredSize ?? 0) <= -MOST_WAITING) {
      end(stream)
      return
    }
    stream.controller.enqueue(message)
    stream.sentAt = nowMs
  }

  function sendBook(stream: Stream, book: Buffer): void {
    stream.book = book
    sendTo(stream, book, performance.now())
  }

  function changed(): void {
    newest = undefined
    if (streams.size === 0) return
    waiting ??= setTimeout(async () => {
      waiting = undefined
      try {
        newest = load()
        const message = await newest
        for (const stream of streams) if (stream.book !== message) sendBook(stream, message)
      } catch (error) {
        newest = undefined
        context.log.warn({ err: error }, 'the book could not be sent')
      }
    }, TOGETHER_MS)
  }

  /** Ends the streams of sessions that have ended and of tokens that have expired; one query for all. */
  async function tend(): Promise<void> {
    if (streams.size === 0) return
    const nowMs = context.clock().getTime()
    for (const stream of streams) if (stream.endsAt <= nowMs) end(stream)
    if (performance.now() - loadedAt > OLDEST_MS) changed()
    try {
      const ended = new Set(await endedAmong(context.db, [...new Set([...streams].map(({ sessionId }) => sessionId))]))
      for (const stream of streams) if (ended.has(stream.sessionId)) end(stream)
    } catch (error) {
      context.log.warn({ err: error }, 'the sessions of the streams could not be looked at')
    }
    for (const stream of streams)
      if (performance.now() - stream.sentAt >= SIGN_OF_LIFE_EVERY_MS) sendTo(stream, PING, performance.now())
  }

  /**
   * `until`: when the bearer token expires. Throws `unavailable` if the process is stopping or has too many streams: the page then polls.
   */
  async function open({ userId, sessionId }: Customer, until: Date): Promise<Response> {
    if (isClosed || streams.size >= MOST_STREAMS) throw new AppError('unavailable')
    unlisten ??= listen(BOOK_CHANNEL, changed)
    await unlisten.catch((error: unknown) => {
      unlisten = undefined
      throw error
    })
    if (performance.now() - loadedAt > OLDEST_MS) newest = undefined
    newest ??= load()
    const loading = newest
    const first = await loading.catch((error: unknown) => {
      newest = undefined
      throw error
    })
    // A book that was loaded for one stream goes to all that do not have it: a notification may have been lost.
    if (newest === loading) for (const one of streams) if (one.book !== first) sendBook(one, first)
    // The process may have begun to stop during the waits above.
    if (isClosed) throw new AppError('unavailable')
    tending ??= outsideTrace(() => setInterval(() => void tend(), TEND_EVERY_MS))
    const own = [...streams].filter((one) => one.userId === userId)
    // A set keeps its streams in the order in which they were opened.
    for (const one of own.slice(0, Math.max(0, own.length + 1 - MOST_OF_AN_ACCOUNT))) end(one)
    let stream: Stream | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { userId, sessionId, endsAt: until.getTime(), controller, sentAt: performance.now(), book: first }
        streams.add(stream)
        controller.enqueue(first)
      },
      cancel: () => {
        if (stream) streams.delete(stream)
      }
    })
    // The book has changed since this one was loaded.
    if (newest !== loading) changed()
    return new Response(body, {
      headers: {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no'
      }
    })
  }

  async function close(): Promise<void> {
    isClosed = true
    clearInterval(tending)
    clearTimeout(waiting)
    for (const stream of streams) end(stream)
    await (await unlisten?.catch(() => undefined))?.()
  }

  return { open, close }
}
