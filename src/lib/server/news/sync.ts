/**
 * Copies changes from the editors' system into our tables, page by page. Each page is one transaction, which also stores where the next
 * one begins.
 */
import { and, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { SUMMARY_LENGTH } from '#lib/domain/news/entry.ts'
import { cleanRichText, plainText } from '#lib/domain/news/richText.ts'
import type { Context } from '../platform/context.ts'
import { databaseError } from '../platform/db/faults.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { NewJob } from '../platform/jobs/insert.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { IMAGE_JOB } from './images.ts'
import {
  type NewsSource,
  type SourceAsset,
  type SourceChange,
  type SourceEntry,
  type SourcePage,
  TokenRefusedError
} from './port.ts'
import { newsAssets, newsEntries, newsEntryAssets, newsImages, newsSync } from './schema.ts'

/** How many pages a run reads; the rest waits for the next run. */
const MOST_PAGES = 500

type Position = typeof newsSync.$inferSelect

/**
 * Runs until there are no more changes. Two runs at a time do no harm: the second one finds that the first has moved on, and stops.
 * Throws UnavailableError; what was copied before stays.
 */
export async function syncNews(context: Context, source: NewsSource): Promise<void> {
  const startedAt = context.clock()
  let position = await positionOf(context, source)
  let hasRestarted = false
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = await readPage(context, source, position)
    if (answer === 'again') {
      if (hasRestarted) throw new UnavailableError('Contentful refuses the tokens that it gives')
      hasRestarted = true
      position = await positionOf(context, source, { restart: position })
    } else {
      const next = await applyPage(context, position, answer, startedAt)
      if (!next || !answer.hasMore) return
      position = next
    }
  }
}

async function readPage(context: Context, source: NewsSource, { token }: Position): Promise<SourcePage | 'again'> {
  try {
    return await source.readChanges(token ?? undefined)
  } catch (error) {
    if (!(error instanceof TokenRefusedError) || token === null) throw error
    context.log.warn({ err: error }, 'news: copied again from the beginning')
    return 'again'
  }
}

/** The position of the copy. A new space, or `restart`, starts from the beginning, with a new generation. */
async function positionOf(context: Context, { name }: NewsSource, { restart }: { restart?: Position } = {}): Promise<Position> {
  return transact(context, async ({ tx }) => {
    const [known] = await tx.select().from(newsSync).for('update')
    if (known && known.source === name && (!restart || known.token !== restart.token)) return known
    const row = {
      source: name,
      token: null,
      isInitial: true,
      generation: (known?.generation ?? 0) + 1,
      total: known?.total ?? 0,
      syncedAt: null
    }
    await tx.insert(newsSync).values(row).onConflictDoUpdate({ target: newsSync.id, set: row })
    return { id: 1, ...row }
  })
}

/** Stores a page; undefined if another process has already done so. */
async function applyPage(context: Context, before: Position, page: SourcePage, startedAt: Date): Promise<Position | undefined> {
  return transact(context, async (work) => {
    const { tx } = work
    const [now] = await tx.select().from(newsSync).for('update')
    if (!now || now.source !== before.source || now.token !== before.token || now.generation !== before.generation)
      return undefined
    for (const change of page.changes) await writeChange(context, work, change, now.generation)
    const isEnd = !page.hasMore
    if (isEnd && now.isInitial) await removeUnseen(work, now.generation)
    if (page.changes.length > 0 || now.isInitial) await work.enqueue(...(await imagesToFetch(work)))
    const [counted] = await tx.select({ total: sql<number>`count(*)::int` }).from(newsEntries)
    const next = {
      ...now,
      token: page.token,
      isInitial: now.isInitial && !isEnd,
      total: counted?.total ?? 0,
      syncedAt: isEnd ? startedAt : now.syncedAt
    }
    await tx.update(newsSync).set(next)
    return next
  })
}

/** PostgreSQL's error codes for data that it cannot store. */
const UNHOLDABLE = /^(22|23|54)/

/** A change that the database refuses is left out, so that it does not hold up all that come after it. */
async function writeChange(context: Context, work: Work, change: SourceChange, generation: number): Promise<void> {
  try {
    // A savepoint: what fails inside it leaves the transaction usable.
    await work.tx.transaction(async (tx) => {
      const inner = { ...work, tx }
      if (change.kind === 'entry') await writeEntry(context, inner, change.entry, generation)
      else if (change.kind === 'asset') await writeAsset(inner, change.asset, generation)
      else if (change.kind === 'entryRemoved') await removeEntries(inner, [change.id])
      else if (change.kind === 'assetRemoved') await tx.delete(newsAssets).where(eq(newsAssets.id, change.id))
      else context.log.warn({ asset: change.id, why: change.why }, 'news: left out')
    })
  } catch (error) {
    if (!UNHOLDABLE.test(databaseError(error).code ?? '')) throw error
    context.log.error({ err: error, change: change.kind }, 'news: a change was left out')
  }
}

/** An entry without a title is not shown: its link would have no text. */
async function writeEntry(context: Context, work: Work, entry: SourceEntry, generation: number): Promise<void> {
  const { tx } = work
  const { id, title, thumbnailId, mainContent } = entry
  const { document, leftOut, assetIds } = cleanRichText(mainContent)
  await removeEntries(work, [id])
  if (title === undefined) {
    context.log.warn({ entry: id }, 'news: an entry without a title is not shown')
    return
  }
  if (leftOut.length > 0) context.log.warn({ entry: id, leftOut }, 'news: parts of an entry are not shown')
  await tx.insert(newsEntries).values({
    id,
    title,
    shortDescription: entry.shortDescription ?? plainText(document, SUMMARY_LENGTH),
    thumbnailId: thumbnailId ?? null,
    mainContent: mainContent ?? null,
    date: entry.date,
    generation
  })
  const shown = [...new Set([...assetIds, ...(thumbnailId ? [thumbnailId] : [])])]
  if (shown.length > 0) await tx.insert(newsEntryAssets).values(shown.map((assetId) => ({ entryId: id, assetId })))
}

async function writeAsset({ tx }: Work, asset: SourceAsset, generation: number): Promise<void> {
  const row = { ...asset, generation }
  await tx.insert(newsAssets).values(row).onConflictDoUpdate({ target: newsAssets.id, set: row })
}

async function removeEntries({ tx }: Work, ids: string[]): Promise<void> {
  await tx.delete(newsEntryAssets).where(inArray(newsEntryAssets.entryId, ids))
  await tx.delete(newsEntries).where(inArray(newsEntries.id, ids))
}

/** After a full sync: removes what it did not contain. */
async function removeUnseen(work: Work, generation: number): Promise<void> {
  const { tx } = work
  const unseen = await tx.select({ id: newsEntries.id }).from(newsEntries).where(lt(newsEntries.generation, generation))
  if (unseen.length > 0)
    await removeEntries(
      work,
      unseen.map(({ id }) => id)
    )
  await tx.delete(newsAssets).where(lt(newsAssets.generation, generation))
}

/** The jobs for pictures that an entry shows and that were not requested yet. */
async function imagesToFetch({ tx, now }: Work): Promise<NewJob[]> {
  const wanted = await tx
    .selectDistinct({ url: newsAssets.url })
    .from(newsEntryAssets)
    .innerJoin(newsAssets, eq(newsAssets.id, newsEntryAssets.assetId))
    .leftJoin(newsImages, eq(newsImages.url, newsAssets.url))
    .where(and(isNotNull(newsAssets.url), sql`${newsImages.url} is null`))
  return waitFor(
    { tx, now },
    wanted.map(({ url }) => url)
  )
}

/** Notes new pictures as waiting, and returns the jobs that fetch them. */
export async function waitFor({ tx, now }: Pick<Work, 'tx' | 'now'>, urls: string[]): Promise<NewJob[]> {
  if (urls.length === 0) return []
  const noted = await tx
    .insert(newsImages)
    .values(urls.map((url) => ({ url, state: 'waiting' as const, createdAt: now })))
    .onConflictDoNothing()
    .returning({ url: newsImages.url })
  return noted.map(({ url }) => ({ kind: IMAGE_JOB, payload: { url } }))
}
