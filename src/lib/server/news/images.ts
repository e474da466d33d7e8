/** Pictures of the news: fetched, checked, resized and served by us, so that no page loads anything from third parties. */
import { createHash } from 'node:crypto'
import { and, eq, isNotNull, isNull, lt, not, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { IMAGE_FORMATS, type ImageFormat, imageFile, parseImageFile, widthsOf } from '#lib/domain/news/entry.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { anyOf } from '../platform/db/columns.ts'
import type { CleanUp } from '../platform/jobs/cleanUp.ts'
import { forgetFailed, insertJobs } from '../platform/jobs/insert.ts'
import { transact } from '../platform/transaction.ts'
import { ImageRefusedError, type NewsSource } from './port.ts'
import { newsAssets, newsEvents, newsImageFiles, newsImages } from './schema.ts'

export const IMAGE_JOB = 'news-image'
/** The formats that we take. SVG is not among them: it can hold scripts. */
const READABLE = new Set(['jpeg', 'png', 'webp', 'gif', 'heif'])
const MOST_PIXELS = 40_000_000
const QUALITY: Record<ImageFormat, object> = { avif: { quality: 55, effort: 2 }, webp: { quality: 76 } }
const HASH_LENGTH = 32
/** How long an unused picture is kept: an entry may be published again. */
const UNUSED_KEPT_DAYS = 7
const EVENTS_KEPT_DAYS = 1

type Made = { hash: string; width: number; height: number; files: { width: number; format: ImageFormat; body: Uint8Array }[] }

/** Fetches a picture and stores it in its sizes. Does nothing if it is ready or refused already. Throws UnavailableError. */
export async function fetchImage(context: Context, source: NewsSource, url: string): Promise<void> {
  const [known] = await context.db.select().from(newsImages).where(eq(newsImages.url, url))
  if (known?.state !== 'waiting') return
  try {
    const made = await makeSizes(await source.readImage(url))
    await transact(context, async ({ tx }) => {
      const { hash, width, height, files } = made
      if (files.length > 0)
        await tx
          .insert(newsImageFiles)
          .values(files.map((file) => ({ hash, ...file })))
          .onConflictDoNothing()
      await tx.update(newsImages).set({ state: 'ready', hash, width, height, reason: null }).where(eq(newsImages.url, url))
    })
  } catch (error) {
    if (!(error instanceof ImageRefusedError)) throw error
    context.log.warn({ url, why: error.message }, 'news: a picture is not shown')
    await context.db.update(newsImages).set({ state: 'refused', reason: error.message }).where(eq(newsImages.url, url))
  }
}

/** Makes the sizes of a picture: upright, without the camera's metadata, without animation. Throws ImageRefusedError. */
async function makeSizes(bytes: Uint8Array): Promise<Made> {
  // Loaded with the first picture: a process that only serves pages never needs it.
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS }).autoOrient()
    const { format, autoOrient } = await image.metadata()
    if (!READABLE.has(format)) throw new ImageRefusedError(`it is of the type ${format}`)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
    const files: Made['files'] = []
    for (const width of widthsOf(autoOrient.width))
      for (const format of IMAGE_FORMATS)
        files.push({ width, format, body: await image.clone().resize({ width }).toFormat(format, QUALITY[format]).toBuffer() })
    return { hash, width: autoOrient.width, height: autoOrient.height, files }
  } catch (error) {
    if (error instanceof ImageRefusedError) throw error
    throw new ImageRefusedError(`it cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : ''}`)
  }
}

export type ShownImage = NonNullable<Answer<'listNews'>['data'][number]['thumbnail_banner']>

/** The pictures of these assets that are ready, by the asset's id. */
export async function imagesOf(db: Executor, assetIds: string[]): Promise<Map<string, ShownImage>> {
  if (assetIds.length === 0) return new Map()
  const rows = await db
    .select({ asset: newsAssets, image: newsImages })
    .from(newsAssets)
    .innerJoin(newsImages, eq(newsImages.url, newsAssets.url))
    .where(and(anyOf(newsAssets.id, assetIds), eq(newsImages.state, 'ready')))
  return new Map(rows.flatMap(({ asset, image }) => present(asset, image).map((shown) => [asset.id, shown] as const)))
}

type Words = { title: string; description: string }

export function present({ title, description }: Words, { hash, width, height }: typeof newsImages.$inferSelect): ShownImage[] {
  if (hash === null || width === null || height === null) return []
  const widths = widthsOf(width)
  const address = (one: number, format: ImageFormat) => `/news-image/${imageFile(hash, one, format)}`
  return [
    {
      url: address(widths.at(-1) ?? width, 'webp'),
      title: description || title,
      width,
      height,
      files: widths.flatMap((one) => IMAGE_FORMATS.map((format) => ({ url: address(one, format), width: one, format })))
    }
  ]
}

/** The bytes of a picture by the name of its file. */
export async function readImageFile({ db }: Context, name: string): Promise<{ body: Uint8Array; type: string } | undefined> {
  const file = parseImageFile(name)
  if (!file) return undefined
  const { hash, width, format } = file
  const [row] = await db
    .select({ body: newsImageFiles.body })
    .from(newsImageFiles)
    .where(and(eq(newsImageFiles.hash, hash), eq(newsImageFiles.width, width), eq(newsImageFiles.format, format)))
  return row && { body: row.body, type: `image/${format}` }
}

const isUsed = sql`exists (select from news_assets a join news_entry_assets e on e.asset_id = a.id where a.url = ${newsImages.url})`
const hasJob = sql`exists (select from jobs_waiting j where j.kind = ${IMAGE_JOB} and j.payload ->> 'url' = ${newsImages.url})`

/**
 * Removes pictures that nothing has shown for a week, and webhook deliveries that are too old to be repeated. Pictures whose tries are
 * used up are fetched again until they are a week old, and then refused.
 */
export const newsCleanUp: CleanUp = async (db, now, daysAgo) => {
  await db.delete(newsEvents).where(lt(newsEvents.receivedAt, daysAgo(EVENTS_KEPT_DAYS)))
  await db
    .update(newsImages)
    .set({ unusedSince: null })
    .where(and(isNotNull(newsImages.unusedSince), isUsed))
  await db
    .update(newsImages)
    .set({ unusedSince: now })
    .where(and(isNull(newsImages.unusedSince), not(isUsed)))
  await db.delete(newsImages).where(lt(newsImages.unusedSince, daysAgo(UNUSED_KEPT_DAYS)))
  await db.delete(newsImageFiles).where(sql`not exists (select from news_images i where i.hash = ${newsImageFiles.hash})`)
  const isWaiting = eq(newsImages.state, 'waiting')
  await db
    .update(newsImages)
    .set({ state: 'refused', reason: 'it could not be had for a week' })
    .where(and(isWaiting, lt(newsImages.createdAt, daysAgo(UNUSED_KEPT_DAYS))))
  const stuck = await db
    .select({ url: newsImages.url })
    .from(newsImages)
    .where(and(isWaiting, not(hasJob)))
  await forgetFailed(db, IMAGE_JOB)
  await insertJobs(
    db,
    stuck.map(({ url }) => ({ kind: IMAGE_JOB, payload: { url } })),
    now
  )
}
