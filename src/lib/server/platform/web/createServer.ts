/** The front server: health, static files, the API, then the pages. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { constants } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import compression from 'compression'
import type { Locale } from '#lib/messages/locale.ts'
import { GONE } from '../api/clientAddress.ts'
import type { Api } from '../api/types.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { requestSpan } from '../tracing.ts'
import { setPageHeaders, setSecurityHeaders } from './headers.ts'
import { languageOf } from './language.ts'
import { note, notesOf } from './notes.ts'
import { type StaticFiles, serveStatic } from './static.ts'

/** Astro's handler in middleware mode: calls `next` where no route matches. */
export type PageHandler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void, locals: object) => unknown

/** The URLs of a script and of all scripts that it imports, by its source file. */
type ScriptGraph = Record<string, string[]>

/** The pages of one language. */
export type LanguageBuild = { pages: PageHandler; scripts: ScriptGraph }

/** The parts of the application that the front server uses. */
type Served = { api: { fetch: Api['fetch'] }; context?: object; isReady: () => Promise<boolean>; logs: { access: Log } }
/** `isOurHost`: the names that this server answers to; the others get 421. */
type Parts = {
  app: Served
  builds: Map<Locale, LanguageBuild>
  files: StaticFiles
  production: boolean
  isOurHost: (host: string | undefined) => boolean
  /** More for the pages' `locals`. */
  pageLocals?: object
  metrics?: Pick<Metrics, 'answered' | 'policyBroken'> | undefined
}

const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 65_000
/** The window, as a power of two, is as large as our largest pages: the usual one takes megabytes for every answer that is being written. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 }
/** A health check waits at most this long for a database that does not respond. */
const READY_WITHIN_MS = 2000
/** Our forms are smaller. `astro.config.mjs` has the same limit, for bodies that do not say how long they are. */
const PAGE_BODY_BYTES = 64 * 1024
/** Where browsers tell of a page that broke its policy. Counted, and not read: anybody can send one. */
const POLICY_REPORTS = '/csp-report'
const PAGE_METHODS = new Set(['GET', 'HEAD', 'POST'])

export function createWebServer({ app, builds, files, production, isOurHost, pageLocals, metrics }: Parts): Server {
  const compress = compression({ threshold: 1024, brotli: { params: BROTLI } })

  const serveApi = getRequestListener(app.api.fetch)

  function buildOf(req: IncomingMessage): LanguageBuild {
    const build = builds.get(languageOf(req.headers))
    if (!build) throw new Error('A language that is spoken was not built')
    return build
  }

  function servePage(req: IncomingMessage, res: ServerResponse, requestId: string): void {
    const { pages, scripts } = buildOf(req)
    // `compression` has the types of Express, but needs only those of node.
    compress(req as never, res as never, () => {
      const locals = {
        ...pageLocals,
        app,
        requestId,
        note: (more: Parameters<typeof note>[1]) => note(res, more),
        scripts,
        remoteAddress: req.socket.remoteAddress ?? GONE
      }
      const notFound = () => {
        // No route matched: the page `/404` answers, through the same handler.
        const askedPath = decodedPath(req.url)
        req.url = '/404'
        pages(req, res, () => plain(res, 404, 'Not found'), { ...locals, askedPath })
      }
      pages(req, res, (error) => (error ? plain(res, 500, 'Something went wrong') : notFound()), locals)
    })
  }

  function answer(req: IncomingMessage, res: ServerResponse, { path, requestId }: { path: string; requestId: string }): void {
    if (path === POLICY_REPORTS && req.method === 'POST') {
      note(res, { route: POLICY_REPORTS })
      metrics?.policyBroken()
      res.setHeader('Connection', 'close')
      return void res.writeHead(204).end()
    }
    if (path === '/v1' || path.startsWith('/v1/')) {
      res.setHeader('Cache-Control', 'no-store')
      return void serveApi(req, res)
    }
    const canonical = canonicalPath(path)
    if (canonical !== undefined) {
      res.writeHead(308, { Location: `${canonical}${(req.url ?? '').slice(path.length)}` }).end()
      return
    }
    if (!PAGE_METHODS.has(req.method ?? '')) {
      plain(res, 405, 'Method not allowed')
      return
    }
    // The page for failures has no URL.
    if (path === '/500') req.url = '/404'
    // No text that a page asks for has a NUL: the database could not hold it.
    else if (req.url?.includes('%00')) req.url = `${path}${req.url.slice(path.length).replaceAll('%00', '')}`
    setPageHeaders(res, req.headers['sec-fetch-site'])
    // What is left of a body would be read as the next request of this connection, which may be another customer's behind a proxy.
    // Kept now: a request whose connection has ended has none any more.
    const { socket } = req
    res.on('finish', () => {
      if (!req.complete) socket.destroySoon()
    })
    if (Number(req.headers['content-length'] ?? 0) > PAGE_BODY_BYTES) {
      res.setHeader('Connection', 'close')
      plain(res, 413, 'This is too much')
      return
    }
    servePage(req, res, requestId)
  }

  const server = createServer((req, res) => {
    const started = performance.now()
    const requestId = randomUUID()
    const path = (req.url ?? '/').split('?', 1)[0] ?? '/'
    setSecurityHeaders(res, { production })
    res.setHeader('X-Request-Id', requestId)
    // Whoever asks for health may not know our name.
    if (path === '/healthz') return plain(res, 200, 'ok')
    if (path === '/readyz') return void answerReady(app, res)
    const isOurs = isOurHost(req.headers.host)
    if (isOurs && serveStatic(files, path, req, res)) return
    const span = requestSpan(req.method ?? '')
    // Also where the client has gone: `finish` would never come.
    if (span)
      res.on('close', () => {
        const status = res.headersSent ? res.statusCode : undefined
        span.end({ route: notesOf(res).route ?? 'other', status })
      })
    res.on('finish', () => {
      const durationMs = Math.round(performance.now() - started)
      // Log changes and failures; successful reads belong in a proxy's log.
      const { route = 'other', ...notes } = notesOf(res)
      // A stream is no answer that somebody waits for.
      const isStream = String(res.getHeader('content-type')).startsWith('text/event-stream')
      if (!isStream) metrics?.answered({ method: req.method ?? '', route, status: res.statusCode, seconds: durationMs / 1000 })
      const isRead = res.statusCode < 400 && (req.method === 'GET' || req.method === 'HEAD')
      const line = {
        requestId,
        method: req.method,
        path: withoutSecret(path),
        status: res.statusCode,
        durationMs,
        ...(span && { traceparent: span.traceparent }),
        ...notes
      }
      if (isRead) app.logs.access.debug(line, 'request')
      else app.logs.access.info(line, 'request')
    })
    if (!isOurs) return plain(res, 421, 'This server does not answer to this name')
    const run = () => answer(req, res, { path, requestId })
    if (span) span.within(run)
    else run()
  })
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  return server
}

const LOCAL_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i
const LOCAL_DESK = /^desk\.localhost\.?(:\d+)?$/i

const isHostOf = (url: string | undefined, host: string | undefined) =>
  url !== undefined &&
  URL.canParse(`${new URL(url).protocol}//${host}`) &&
  new URL(`${new URL(url).protocol}//${host}`).origin === new URL(url).origin

/** With another port or a final dot it is the same machine's name. */
const isNameOf = (url: string | undefined, host = '') =>
  url !== undefined && host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '') === new URL(url).hostname

/**
 * The customers' server. Without its own address it answers to local names alone, so that no web page can reach it by DNS rebinding. It never
 * answers to the desk's name.
 */
export const hostOfCustomers =
  ({ publicUrl, deskUrl }: { publicUrl: string | undefined; deskUrl: string | undefined }) =>
  (host: string | undefined): boolean => {
    if (isNameOf(deskUrl, host) || LOCAL_DESK.test(host ?? '')) return false
    return publicUrl !== undefined || LOCAL_NAME.test(host ?? '')
  }

/** The desk's server: it answers to its own full name and to no other. */
export const hostOfDesk =
  (deskUrl: string | undefined) =>
  (host: string | undefined): boolean =>
    deskUrl === undefined ? LOCAL_DESK.test(host ?? '') : isHostOf(deskUrl, host)

function decodedPath(url = '/'): string {
  const path = url.split('?', 1)[0] ?? '/'
  try {
    return decodeURIComponent(path).replace(/^\/+/, '/')
  } catch {
    return path
  }
}

/** The path without its trailing slash; undefined if it has none, or if it could lead to another host. */
function canonicalPath(path: string): string | undefined {
  if (path.length < 2 || !path.endsWith('/')) return undefined
  const canonical = `/${path.replace(/^\/+|\/+$/g, '')}`
  return /^\/[\w.~%-][\w.~%/-]*$/.test(canonical) ? canonical : undefined
}

export async function answerReady(app: Pick<Served, 'isReady'>, res: ServerResponse): Promise<void> {
  const tooLate = new Promise<false>((resolve) => setTimeout(() => resolve(false), READY_WITHIN_MS).unref())
  const ready = await Promise.race([app.isReady().catch(() => false), tooLate])
  plain(res, ready ? 200 : 503, ready ? 'ready' : 'not ready')
}

export function plain(res: ServerResponse, status: number, text: string): void {
  if (res.headersSent) {
    res.end()
    return
  }
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(text)
}

/** The path of a private link contains its secret, which must not be logged. */
function withoutSecret(path: string): string {
  return path.replace(/^(\/rewards|\/verify|\/news-preview)\/.+/, '$1/…')
}
