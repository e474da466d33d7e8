/** Shows drafts by a signed link, which anybody may open until it expires: an editor can show a text to somebody without an account. */
import { inArray } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { SUMMARY_LENGTH } from '#lib/domain/news/entry.ts'
import { cleanRichText, plainText } from '#lib/domain/news/richText.ts'
import type { Context } from '../platform/context.ts'
import { isHashedBy, keyedHash, sameText } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { transact } from '../platform/transaction.ts'
import { present } from './images.ts'
import type { NewsSource, SourceAsset } from './port.ts'
import { presentEntry } from './read.ts'
import { newsImages } from './schema.ts'
import { waitFor } from './sync.ts'

const ENDS_AFTER_MS = 60 * 60_000

type Link = { path: string; endsAt: Date }

export function previewLink({ keyFor, clock }: Context, id: string): Link {
  const endsAt = new Date(clock().getTime() + ENDS_AFTER_MS)
  const parts = [Buffer.from(id).toString('base64url'), Math.floor(endsAt.getTime() / 1000).toString()]
  return { path: `/news-preview/${[...parts, keyedHash(keyFor('news-preview'), ...parts)].join('.')}`, endsAt }
}

/** Makes the link for an editor who has the key from our settings. Throws `link_invalid`. */
export async function createPreview(
  context: Context,
  source: NewsSource | undefined,
  { id, key }: { id: string; key: string }
): Promise<Answer<'createNewsPreview'>> {
  if (!source?.previewKey || !sameText(key, source.previewKey)) throw new AppError('link_invalid')
  const { path, endsAt } = previewLink(context, id)
  return { path, endsAt: endsAt.toISOString() }
}

/** The entry's id and the expiry of a link; throws `link_invalid` if the link is forged or has expired. */
function readToken({ keysFor, clock }: Context, token: string): { id: string; endsAt: Date } {
  const [id = '', ends = '', signature = ''] = token.split('.')
  const endsAt = new Date(Number(ends) * 1000)
  const isOurs = isHashedBy(keysFor('news-preview'), signature, id, ends)
  if (!isOurs || !(endsAt > clock())) throw new AppError('link_invalid')
  return { id: Buffer.from(id, 'base64url').toString('utf8'), endsAt }
}

/** The draft as it would be shown. Throws `link_invalid`, `news_not_found`, UnavailableError. */
export async function readPreview(
  context: Context,
  source: NewsSource | undefined,
  token: string
): Promise<Answer<'readNewsPreview'>> {
  const { id, endsAt } = readToken(context, token)
  const draft = await source?.readDraft(id)
  if (!draft) throw new AppError('news_not_found')
  const { entry, assets } = draft
  const { document, assetIds } = cleanRichText(entry.mainContent)
  const images = await imagesOfDraft(context, assets)
  const shortDescription = entry.shortDescription ?? plainText(document, SUMMARY_LENGTH)
  const missing = [
    ...(entry.title === undefined ? ['title' as const] : []),
    ...(entry.shortDescription === undefined ? ['short_description' as const] : []),
    ...(document.content.length === 0 ? ['main_content' as const] : []),
    ...(entry.thumbnailId === undefined ? ['thumbnail_banner' as const] : [])
  ]
  const row = { id, title: entry.title ?? '', shortDescription, date: entry.date }
  const shown = presentEntry(row, document, { thumbnailId: entry.thumbnailId, assetIds, images })
  return { ...shown, endsAt: endsAt.toISOString(), missing }
}

/** Pictures that were never published are fetched by the worker now; they appear when the page is loaded again. */
async function imagesOfDraft(context: Context, assets: SourceAsset[]) {
  const urls = assets.map(({ url }) => url)
  await transact(context, async (work) => work.enqueue(...(await waitFor(work, urls))))
  const rows = urls.length === 0 ? [] : await context.db.select().from(newsImages).where(inArray(newsImages.url, urls))
  const byUrl = new Map(rows.filter(({ state }) => state === 'ready').map((row) => [row.url, row]))
  return new Map(
    assets.flatMap((asset) => {
      const image = byUrl.get(asset.url)
      return image ? present(asset, image).map((shown) => [asset.id, shown] as const) : []
    })
  )
}
