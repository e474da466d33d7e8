/** The live book and the trades beside it: each process reads them for all streams that are open there. */
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { endedAmong } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { outsideRequests } from '../platform/outsideRequests.ts'
import { BOOK_CHANNEL } from './announce.ts'
import { createLivePart, type LivePart } from './livePart.ts'
import { readMarket } from './market.ts'
import { loadBook } from './read.ts'

/** How often sessions are checked, and after which silence a stream gets a sign of life. */
const TEND_EVERY_MS = 3000
const SIGN_OF_LIFE_EVERY_MS = 20_000
const MOST_STREAMS = 5000
/** Streams of one account; when one more is opened, the oldest one ends. */
const MOST_OF_AN_ACCOUNT = 10
/** The trades are to look at, not to act on: a process reads them for its streams at most this often. */
const MARKET_EVERY_MS = 5000
/** Messages that a slow reader may have waiting before its stream is closed: it reconnects and gets the newest book. */
const MOST_WAITING = 4

type Stream = {
  userId: string
  sessionId: string
  endsAt: number
  controller: ReadableStreamDefaultController<Uint8Array>
  sentAt: number
  /** What it was sent last, by part. */
  sent: Map<LivePart, Buffer>
}
type Listen = (channel: string, onNotification: () => void) => Promise<() => Promise<void>>
export type BookFeed = { open: (customer: Customer, until: Date) => Promise<Response>; close: () => Promise<void> }

const PING = Buffer.from(': \n\n')

export function createBookFeed(context: Context, listen: Listen): BookFeed {
  const streams = new Set<Stream>()
  let unlisten: Promise<() => Promise<void>> | undefined
  let tending: ReturnType<typeof setInterval> | undefined
  let isClosed = false

  const book = createPart('book', 0, () => loadBook(context, { assetCurrency: P2P_ASSET, settlementCurrency: P2P_SETTLEMENT }))
  const market = createPart('market', MARKET_EVERY_MS, () => readMarket(context))
  const parts = [book, market]

  function createPart(name: string, everyMs: number, read: () => Promise<unknown>): LivePart {
    const part: LivePart = createLivePart({
      name,
      everyMs,
      read,
      isWanted: () => streams.size > 0,
      send: (message) => sendToAll(part, message),
      failed: (error) => context.log.warn({ err: error }, `the ${name} could not be sent`)
    })
    return part
  }

  function changed(): void {
    for (const part of parts) part.changed()
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

  /** To all streams that do not have it. */
  function sendToAll(part: LivePart, message: Buffer): void {
    for (const stream of streams) if (stream.sent.get(part) !== message) sendPart(stream, part, message)
  }

  function sendPart(stream: Stream, part: LivePart, message: Buffer): void {
    stream.sent.set(part, message)
    sendTo(stream, message, performance.now())
  }

  /** Ends the streams of sessions that have ended and of tokens that have expired; one query for all. */
  async function tend(): Promise<void> {
    if (streams.size === 0) return
    const nowMs = context.clock().getTime()
    for (const stream of streams) if (stream.endsAt <= nowMs) end(stream)
    for (const part of parts) part.tend()
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
    const first = await book.current()
    // The process may have begun to stop during the waits above.
    if (isClosed) throw new AppError('unavailable')
    tending ??= outsideRequests(() => setInterval(() => void tend(), TEND_EVERY_MS))
    const own = [...streams].filter((one) => one.userId === userId)
    // A set keeps its streams in the order in which they were opened.
    for (const one of own.slice(0, Math.max(0, own.length + 1 - MOST_OF_AN_ACCOUNT))) end(one)
    let stream: Stream | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { userId, sessionId, endsAt: until.getTime(), controller, sentAt: performance.now(), sent: new Map() }
        streams.add(stream)
        sendPart(stream, book, first)
      },
      cancel: () => {
        if (stream) streams.delete(stream)
      }
    })
    // What was read for one stream goes to all, because a notification may have been lost; and it may have changed while it was read.
    if (book.known() === first) sendToAll(book, first)
    else book.changed()
    const prices = market.known()
    if (prices) sendToAll(market, prices)
    else market.changed()
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
    for (const part of parts) part.close()
    for (const stream of streams) end(stream)
    await (await unlisten?.catch(() => undefined))?.()
  }

  return { open, close }
}
