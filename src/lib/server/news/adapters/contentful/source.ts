/**
 * News from Contentful: changes from its sync API, drafts from its preview API, pictures from its image host. Source: its references
 * "Content Delivery API", "Content Preview API", "Images API" and "API rate limits".
 */
import { setTimeout as wait } from 'node:timers/promises'
import { readBounded, TooLargeError } from '../../../platform/bounded.ts'
import { UnavailableError } from '../../../platform/errors.ts'
import { ImageRefusedError, type NewsSource, TokenRefusedError } from '../../port.ts'
import type { ContentfulConfig } from '../../settings.ts'
import { assetOf, changesOf, entriesAnswer, entryOf, syncAnswer } from './parse.ts'
import { TOPIC, verifyDelivery } from './signature.ts'

const TIMEOUT_MS = 10_000
/** The largest response that Contentful sends is 7 MB. */
const ANSWER_BYTES = 16 * 1024 * 1024
const IMAGE_BYTES = 12 * 1024 * 1024
const PAGE_ITEMS = 100
const TRIES = 4
const LONGEST_WAIT_SECONDS = 5

type Fetch = (url: URL, init: RequestInit) => Promise<Response>
/** `fetch`: the network's; the sandbox passes its own. */
type Needed = { clock: () => Date; fetch: Fetch }

export function contentfulSource(config: ContentfulConfig, { clock, fetch: ask }: Needed): NewsSource {
  const { space, environment, contentType, locale, imagesOrigin, webhookSecret, previewToken } = config
  const reading = { locale, contentType, imagesOrigin }
  const base = `/spaces/${encodeURIComponent(space)}/environments/${encodeURIComponent(environment)}`

  /** When rate-limited, waits as long as the response asks and tries again; gives up if that is too long. */
  async function request(url: URL, token: string): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await ask(url, {
        headers: { Authorization: `Bearer ${token}` },
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS)
      }).catch((cause: unknown) => {
        throw new UnavailableError('Contentful cannot be had', { cause })
      })
      if (response.status !== 429 || attempt === TRIES) return response
      const seconds = Number(response.headers.get('x-contentful-ratelimit-reset') ?? 1)
      if (!(seconds <= LONGEST_WAIT_SECONDS)) return response
      await response.body?.cancel()
      await wait(Math.max(seconds, 0.2) * 1000)
    }
  }

  async function readJson(response: Response): Promise<unknown> {
    try {
      return JSON.parse(Buffer.from(await readBounded(response, ANSWER_BYTES)).toString('utf8'))
    } catch (cause) {
      throw new UnavailableError('Contentful gave no readable answer', { cause })
    }
  }

  return {
    name: [config.url, space, environment, locale, contentType].join(' '),
    previewKey: previewToken && config.previewKey,
    readChanges: async (token) => {
      const url = new URL(`${base}/sync`, config.url)
      url.search = new URLSearchParams(
        token === undefined ? { initial: 'true', limit: String(PAGE_ITEMS) } : { sync_token: token }
      ).toString()
      const response = await request(url, config.token)
      if (response.status === 400 && token !== undefined) throw new TokenRefusedError('The sync token is not accepted')
      if (!response.ok) throw new UnavailableError(`Contentful answered ${response.status} to a sync`)
      const { success, data } = syncAnswer.safeParse(await readJson(response))
      const next = success ? tokenOf(data.nextPageUrl ?? data.nextSyncUrl) : undefined
      if (!success || next === undefined) throw new UnavailableError('Contentful gave no readable page of changes')
      return {
        changes: data.items.flatMap((item) => changesOf(item, reading)),
        token: next,
        hasMore: data.nextPageUrl !== undefined
      }
    },
    readDraft: async (id) => {
      if (previewToken === undefined) return undefined
      const url = new URL(`${base}/entries`, config.previewUrl)
      url.search = new URLSearchParams({ 'sys.id': id, include: '1', locale: '*', content_type: contentType }).toString()
      const response = await request(url, previewToken)
      if (!response.ok) throw new UnavailableError(`Contentful answered ${response.status} to a preview`)
      const { success, data } = entriesAnswer.safeParse(await readJson(response))
      if (!success) throw new UnavailableError('Contentful gave no readable draft')
      const item = data.items.find(({ sys }) => sys.id === id)
      if (!item) return undefined
      const assets = (data.includes?.Asset ?? []).map((asset) => assetOf(asset, reading))
      return { entry: entryOf(item, reading), assets: assets.flatMap((asset) => ('why' in asset ? [] : [asset])) }
    },
    readImage: async (url) => {
      if (new URL(url).origin !== imagesOrigin) throw new ImageRefusedError('it is on another host')
      try {
        const response = await ask(new URL(url), { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
        if (!response.ok) throw new Error(`it answered ${response.status}`)
        return await readBounded(response, IMAGE_BYTES)
      } catch (cause) {
        if (cause instanceof ImageRefusedError) throw cause
        if (cause instanceof TooLargeError) throw new ImageRefusedError(`it has ${cause.message}`)
        throw new UnavailableError('The picture cannot be had', { cause })
      }
    },
    readEvent: (delivery) => ({
      signature: verifyDelivery(webhookSecret, delivery, clock()),
      topic: (delivery.headers[TOPIC] ?? '').slice(0, 100)
    })
  }
}

/** Only the token of the URL is used: requests always go to the configured host. */
function tokenOf(url: string | undefined): string | undefined {
  const token = url !== undefined && URL.canParse(url) ? new URL(url).searchParams.get('sync_token') : null
  return token && token.length <= 4000 ? token : undefined
}
