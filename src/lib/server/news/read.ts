import { asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { cleanRichText } from '#lib/domain/news/richText.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { imagesOf, type ShownImage } from './images.ts'
import { newsEntries, newsSync } from './schema.ts'

type Asked = { page: number; size: number; order_by: 'contentful_created_at desc' | 'contentful_created_at asc' }
type Card = Answer<'listNews'>['data'][number]
type Row = Pick<typeof newsEntries.$inferSelect, 'id' | 'title' | 'shortDescription' | 'date'>

const columns = {
  id: newsEntries.id,
  title: newsEntries.title,
  shortDescription: newsEntries.shortDescription,
  thumbnailId: newsEntries.thumbnailId,
  date: newsEntries.date
}

/** Editors plan fewer entries ahead. */
const MOST_AHEAD = 1000

/** The entries that are not shown yet. By the index: without an order and an end, PostgreSQL reads all entries to count these. */
const entriesAfter = (db: Executor, now: Date) =>
  db
    .select({ id: newsEntries.id })
    .from(newsEntries)
    .where(gt(newsEntries.date, now))
    .orderBy(asc(newsEntries.date))
    .limit(MOST_AHEAD)
    .as('later')

/** A page of the entries that are shown at this moment. The sync keeps the number of all entries, so that no page counts them. */
export async function listNews({ db, clock }: Context, { page, size, order_by }: Asked): Promise<Answer<'listNews'>> {
  const now = clock()
  const way = order_by === 'contentful_created_at desc' ? desc : asc
  const [rows, [sync], [later]] = await Promise.all([
    db
      .select(columns)
      .from(newsEntries)
      .where(lte(newsEntries.date, now))
      .orderBy(way(newsEntries.date), way(newsEntries.id))
      .limit(size)
      .offset((page - 1) * size),
    db.select({ total: newsSync.total }).from(newsSync),
    db.select({ count: sql<number>`count(*)::int` }).from(entriesAfter(db, now))
  ])
  const images = await imagesOf(
    db,
    rows.flatMap(({ thumbnailId }) => thumbnailId ?? [])
  )
  return {
    data: rows.map((row) => cardOf(row, row.thumbnailId ? images.get(row.thumbnailId) : undefined)),
    total: Math.max(0, (sync?.total ?? 0) - (later?.count ?? 0))
  }
}

/** Throws `news_not_found`, also before the date of the entry. */
export async function readNews({ db, clock }: Context, id: string): Promise<Answer<'getNews'>> {
  const [row] = await db.select().from(newsEntries).where(eq(newsEntries.id, id))
  if (!row || row.date > clock()) throw new AppError('news_not_found')
  const { document, assetIds } = cleanRichText(row.mainContent)
  const images = await imagesOf(db, [...assetIds, ...(row.thumbnailId ? [row.thumbnailId] : [])])
  return presentEntry(row, document, { thumbnailId: row.thumbnailId ?? undefined, assetIds, images })
}

type Pictures = { thumbnailId: string | undefined; assetIds: string[]; images: Map<string, ShownImage> }

export function presentEntry(
  row: Row,
  mainContent: Answer<'getNews'>['raw_data']['fields']['mainContent'],
  { thumbnailId, assetIds, images }: Pictures
): Answer<'getNews'> {
  const inText = assetIds.flatMap((assetId) => {
    const image = images.get(assetId)
    return image ? [[assetId, image] as const] : []
  })
  return {
    ...cardOf(row, thumbnailId ? images.get(thumbnailId) : undefined),
    raw_data: { fields: { mainContent } },
    images: Object.fromEntries(inText)
  }
}

function cardOf({ id, title, shortDescription, date }: Row, thumbnail: ShownImage | undefined): Card {
  return {
    id,
    contentful_id: id,
    title,
    short_description: shortDescription,
    thumbnail_banner: thumbnail ?? null,
    contentful_created_at: date.toISOString()
  }
}
