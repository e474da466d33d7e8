/** A fake Contentful: delivery API, preview API and image host, with fixtures in Contentful's exact JSON. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import type { ContentfulConfig } from '#lib/server/news/settings.ts'

const HOSTS = ['https://cdn.contentful.com', 'https://images.ctfassets.net', '//images.ctfassets.net']
const TOKEN = 'delivery-token'
const PREVIEW_TOKEN = 'preview-token'
export const SECRET = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-'

type Answer = { status?: number; headers?: Record<string, string>; body: string | Uint8Array }
export type ContentfulServer = {
  config: ContentfulConfig
  /** Path and query of every request, in order. */
  asked: string[]
  /** Sends these answers, one by one, to the next requests of this path instead of the fixtures. */
  next: (path: RegExp, ...answers: Answer[]) => void
  /** Serves this fixture to the next sync with the last token; without it, such a sync brings nothing new. */
  publish: (fixture: string) => void
  /** Drops the unused answers of `next`. */
  forget: () => void
  lastToken: () => string
  stop: () => Promise<void>
}

const folder = new URL('../fixtures/contentful/', import.meta.url)
export const fixture = (name: string) => readFileSync(new URL(`${name}.json`, folder), 'utf8')
const tokenIn = (text: string) => /sync_token=([\w-]+)/.exec(text)?.[1] ?? ''

export async function startContentful(): Promise<ContentfulServer> {
  const asked: string[] = []
  const instead: { path: RegExp; answers: Answer[] }[] = []
  const [first, second] = [fixture('initial1'), fixture('initial2')]
  /** The page of changes for each sync token. */
  const pages = new Map([[tokenIn(first), second]])
  let lastToken = tokenIn(second)
  const picture: Uint8Array = await sharp({ create: { width: 1800, height: 1000, channels: 3, background: '#1f7a56' } })
    .jpeg()
    .toBuffer()

  function answerOf(url: URL, authorization: string | undefined): Answer {
    if (url.pathname.startsWith('/wallet00news/')) return { body: picture, headers: { 'content-type': 'image/jpeg' } }
    const isPreview = url.pathname.endsWith('/entries')
    if (authorization !== `Bearer ${isPreview ? PREVIEW_TOKEN : TOKEN}`)
      return { status: 401, body: '{"sys":{"type":"Error","id":"AccessTokenInvalid"}}' }
    if (isPreview) return { body: fixture('preview') }
    if (url.searchParams.has('initial')) return { body: first }
    const token = url.searchParams.get('sync_token') ?? ''
    const page = pages.get(token)
    if (page) return { body: page }
    if (token !== lastToken) return { status: 400, body: fixture('badToken') }
    const nextSyncUrl = `https://cdn.contentful.com/spaces/wallet00news/environments/master/sync?sync_token=${token}`
    return { body: JSON.stringify({ sys: { type: 'Array' }, items: [], nextSyncUrl }) }
  }

  function serve(req: IncomingMessage, res: ServerResponse, origin: string): void {
    const url = new URL(req.url ?? '/', origin)
    asked.push(`${url.pathname}${url.search}`)
    const other = instead.find(({ path, answers }) => path.test(url.pathname) && answers.length > 0)
    const { status = 200, headers = {}, body } = other?.answers.shift() ?? answerOf(url, req.headers.authorization)
    res.writeHead(status, { 'content-type': 'application/vnd.contentful.delivery.v1+json', ...headers })
    // The fixtures name Contentful's hosts: replace them by this server.
    res.end(typeof body === 'string' ? HOSTS.reduce((text, host) => text.replaceAll(host, origin), body) : body)
  }

  const server = createServer((req, res) => serve(req, res, url))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    config: {
      space: 'wallet00news',
      environment: 'master',
      locale: 'en-US',
      contentType: 'news',
      url,
      token: TOKEN,
      previewUrl: url,
      previewToken: PREVIEW_TOKEN,
      imagesOrigin: url,
      webhookSecret: SECRET,
      previewKey: 'the-key-of-the-editors-desk'
    },
    asked,
    next: (path, ...answers) => instead.unshift({ path, answers }),
    publish: (name) => {
      pages.set(lastToken, fixture(name))
      lastToken = tokenIn(fixture(name))
    },
    forget: () => instead.splice(0),
    lastToken: () => lastToken,
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      })
  }
}
