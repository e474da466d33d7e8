/**
 * The live order book, and the trades beside it: server-sent events, read with the bearer token. One stream per browser: the tab that
 * holds the lock reads it and sends what comes to the other tabs. A hidden tab releases the lock. When the stream fails, both are polled
 * until it works again.
 */
import { atom, map } from 'nanostores'
import type { Answer } from '#lib/contract/types.ts'
import { versionOf } from '#lib/domain/p2p/market.ts'
import { call } from '../platform/call.ts'
import { session } from '../platform/session.ts'
import { apiUrl, send } from '../platform/transport.ts'

/** The fields of an order that the book shows. The page contains only these, to stay within its size budget. */
export type BookOrder = Pick<
  Answer<'listP2pOrders'>[number],
  | 'id'
  | 'asset_currency'
  | 'settlement_currency'
  | 'listed_asset_amount'
  | 'remaining_asset_amount'
  | 'smallest_fill_amount'
  | 'price_per_coin'
  | 'fee_basis_points'
  | 'expires_at'
  | 'maker_nickname'
  | 'maker_trades'
  | 'maker_since'
  | 'is_own'
>

/** `orders`: undefined until something newer than the page's own data arrives. `isLive`: changes are shown as they happen. */
export const book = map<{ orders: BookOrder[] | undefined; isLive: boolean }>({ orders: undefined, isLive: false })

export type Market = Answer<'getP2pMarket'>
/** Undefined until something newer than the page's own data arrives. */
export const market = atom<Market | undefined>()

const NAME = 'p2p-book'
/** The server sends something at least every 20 s; after this silence the stream counts as broken. */
const SILENT_MS = 45_000
const ASK_EVERY_MS = 15_000
const MARKET_EVERY_MS = 60_000
const SOONEST_MS = 1000
const LATEST_MS = 60_000
const STREAM_EVENT = /^event: (book|market)\ndata: (.*)$/s

type News = { orders?: BookOrder[]; market?: Market }
type Told = (News & { isLive: boolean }) | 'ask'
type Tell = (told: Exclude<Told, 'ask'>) => void

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Reads the stream until it ends; returns true if anything arrived. */
async function readStream(path: string, tell: Tell, signal: AbortSignal): Promise<boolean> {
  const silent = new AbortController()
  const ending = AbortSignal.any([signal, silent.signal])
  // Not through `call`, whose HTTP client loads on the first tap: the book must be live before. An expired token is refreshed by the
  // next poll, which uses `call`.
  const { ok, body } = await send(apiUrl(path), {
    headers: { Authorization: `Bearer ${session.get()?.token ?? ''}` },
    signal: ending
  })
  if (!ok || !body) return false
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  ending.addEventListener('abort', () => void reader.cancel().catch(() => undefined))
  let text = ''
  let hasCome = false
  for (;;) {
    const timer = setTimeout(() => silent.abort(), SILENT_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return hasCome
    const parts = (text + value).split('\n\n')
    text = parts.pop() ?? ''
    // Each event is a whole book or market, so only the last one of a name counts.
    const events = parts.map((part) => STREAM_EVENT.exec(part) ?? [])
    const [orders, prices] = ['book', 'market'].map((name) => events.findLast((event) => event[1] === name)?.[2])
    if (orders === undefined && prices === undefined) continue
    hasCome = true
    tell({ ...(orders && { orders: JSON.parse(orders) }), ...(prices && { market: JSON.parse(prices) }), isLive: true })
  }
}

/** Keeps the book up to date until `signal` aborts: reads the stream, and polls between two attempts, the trades less often. */
async function lead(path: string, tell: Tell, signal: AbortSignal): Promise<void> {
  let waitMs = SOONEST_MS
  let marketAt = Date.now()
  while (!signal.aborted) {
    const hasCome = await readStream(path, tell, signal).catch(() => false)
    if (signal.aborted) return
    tell({ isLive: false })
    if (hasCome) marketAt = Date.now()
    // Random wait, so that customers do not all reconnect at the same moment.
    waitMs = hasCome ? SOONEST_MS : Math.min(waitMs * 2, LATEST_MS)
    for (const until = Date.now() + waitMs * (0.5 + Math.random()); Date.now() < until && !signal.aborted; ) {
      await pause(Math.min(ASK_EVERY_MS, until - Date.now()), signal)
      const isMarketDue = Date.now() - marketAt >= MARKET_EVERY_MS
      if (isMarketDue) marketAt = Date.now()
      // Another tab may lead by the time of the answer.
      const tellUnlessOver = (news: News) => {
        if (!signal.aborted) tell({ ...news, isLive: false })
      }
      await ask(isMarketDue, tellUnlessOver, signal)
    }
  }
}

/** Rises with each book that comes. */
let books = 0

/** Reads the book and, if `withMarket`, the trades; `news` gets each as it comes, unless a newer book has come meanwhile. */
async function ask(withMarket: boolean, news: (news: News) => void, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const before = books
  const asked = [
    call('listP2pOrders').then((orders) => before === books && news({ orders })),
    withMarket && call('getP2pMarket').then((prices) => news({ market: prices }))
  ]
  await Promise.allSettled(asked)
}

/** A market that is older than the one that is there is left out: each process and tab has its own. */
function take({ orders, isLive, ...told }: Exclude<Told, 'ask'>): void {
  const known = market.get()
  // A process of the last release answers no day.
  const isNewer = told.market?.today !== undefined && (!known || versionOf(told.market) > versionOf(known))
  if (isNewer) market.set(told.market)
  if (orders) books += 1
  if (orders || isLive !== book.get().isLive) book.set({ orders: orders ?? book.get().orders, isLive })
}

/** Reads both once, after the customer has changed the book. */
export function refreshBook(): Promise<void> {
  return ask(true, (news) => take({ ...news, isLive: book.get().isLive }))
}

/** Follows the book while the page is visible; returns the function that stops it. `path`: the stream's, below `/v1`. */
export function followBook(path: string): () => void {
  const channel = new BroadcastChannel(NAME)
  let leading: AbortController | undefined
  let isLeader = false
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data !== 'ask') take(data)
    else if (isLeader && book.get().orders) channel.postMessage({ ...book.get(), market: market.get() })
  }
  const tell: Tell = (told) => {
    take(told)
    channel.postMessage(told)
  }

  function look(): void {
    leading?.abort()
    leading = undefined
    // The book counts as live again when something arrives: until then it may be as old as the time for which the tab was hidden.
    take({ isLive: false })
    if (document.hidden) return
    leading = new AbortController()
    const { signal } = leading
    channel.postMessage('ask')
    navigator.locks
      .request(NAME, { signal }, async () => {
        isLeader = true
        await lead(path, tell, signal)
        isLeader = false
      })
      .catch(() => undefined)
  }

  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    leading?.abort()
    channel.close()
  }
}
