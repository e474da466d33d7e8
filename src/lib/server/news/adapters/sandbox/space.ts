/**
 * The sandbox's space: it simulates Contentful's delivery and preview APIs and its image host, with their JSON, from a table. The adapter
 * that calls it is the real one.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Database } from '../../../platform/db/client.ts'
import { fileUrl } from '../../../platform/files.ts'
import { sandboxContents } from '../../schema.ts'
import type { ContentfulConfig } from '../../settings.ts'
import { richTextOf } from './markdown.ts'
import { PICTURES, pictureOf } from './pictures.ts'

export type Content = typeof sandboxContents.$inferSelect
export type EntryForm = { title: string; shortDescription: string; markdown: string; picture: string; date: string }

const ORIGIN = 'https://contentful.sandbox'
const IMAGES = 'https://images.sandbox'
const LOCALE = 'en-US'
const PAGE_ITEMS = 100

export function sandboxContentful(keyFor: (purpose: string) => Uint8Array): ContentfulConfig {
  const secret = Buffer.from(keyFor('sandbox-news')).toString('hex')
  return {
    space: 'sandbox',
    environment: 'master',
    locale: LOCALE,
    contentType: 'news',
    url: ORIGIN,
    token: secret,
    previewUrl: ORIGIN,
    previewToken: secret,
    imagesOrigin: IMAGES,
    webhookSecret: secret,
    previewKey: secret
  }
}

const localized = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === '' || value === undefined ? [] : [[name, { [LOCALE]: value }]]))
  )

const linkTo = (id: string) => ({ sys: { type: 'Link', linkType: 'Asset', id } })

/** The fields of an entry as the space keeps them: empty ones are left out. */
export function fieldsOf({ title, shortDescription, markdown, picture, date }: EntryForm): Record<string, unknown> {
  return localized({
    title: title.trim(),
    shortDescription: shortDescription.trim(),
    thumbnailBanner: PICTURES.includes(picture) ? linkTo(picture) : undefined,
    mainContent: markdown.trim() === '' ? undefined : richTextOf(markdown),
    date
  })
}

/** An item in the JSON of both APIs. */
export function itemOf({ id, type, createdAt, updatedAt, revision }: Content, fields: Record<string, unknown>) {
  return {
    sys: {
      space: { sys: { type: 'Link', linkType: 'Space', id: 'sandbox' } },
      environment: { sys: { type: 'Link', linkType: 'Environment', id: 'master' } },
      id,
      type,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      revision,
      ...(type === 'Entry' && { contentType: { sys: { type: 'Link', linkType: 'ContentType', id: 'news' } } })
    },
    fields
  }
}

/** Replaces the network's `fetch` for this space. */
export function sandboxFetch(db: Database, clock: () => Date): (url: URL) => Promise<Response> {
  let filling: Promise<void> | undefined

  async function sync(token: string | null): Promise<Response> {
    const after = BigInt(token?.replace(/\D/g, '') || '0')
    const changed = and(isNotNull(sandboxContents.position), gt(sandboxContents.position, after))
    const rows = await db.select().from(sandboxContents).where(changed).orderBy(asc(sandboxContents.position)).limit(PAGE_ITEMS)
    const last = rows.at(-1)?.position ?? after
    const items = rows.flatMap((row): object[] => {
      if (row.published) return [itemOf(row, row.published)]
      // A first sync has nothing that could be removed.
      if (after === 0n) return []
      const deletedAt = row.updatedAt.toISOString()
      return [{ sys: { type: `Deleted${row.type}`, id: row.id, createdAt: deletedAt, updatedAt: deletedAt, deletedAt } }]
    })
    const next = `${ORIGIN}/spaces/sandbox/environments/master/sync?sync_token=${last}`
    const isFull = rows.length === PAGE_ITEMS
    return Response.json({ sys: { type: 'Array' }, items, ...(isFull ? { nextPageUrl: next } : { nextSyncUrl: next }) })
  }

  async function draft(id: string): Promise<Response> {
    const [row] = await db.select().from(sandboxContents).where(eq(sandboxContents.id, id))
    const assets = await db.select().from(sandboxContents).where(eq(sandboxContents.type, 'Asset'))
    const items = row && !row.isDeleted ? [itemOf(row, row.draft)] : []
    const includes = { Asset: assets.map((asset) => itemOf(asset, asset.draft)) }
    return Response.json({ sys: { type: 'Array' }, total: items.length, skip: 0, limit: 100, items, includes })
  }

  return async (url) => {
    filling ??= fill(db, clock)
    await filling
    if (url.origin === IMAGES) return picture(url.pathname)
    if (url.pathname.endsWith('/sync')) return sync(url.searchParams.get('sync_token'))
    return draft(url.searchParams.get('sys.id') ?? '')
  }
}

async function picture(path: string): Promise<Response> {
  const svg = pictureOf(path.split('/').at(-1)?.replace('.png', '') ?? '')
  if (svg === undefined) return new Response('Not found', { status: 404 })
  const { default: sharp } = await import('sharp')
  return new Response(new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer()), {
    headers: { 'Content-Type': 'image/png' }
  })
}

const folder = fileUrl('src/lib/server/news/adapters/sandbox/entries/')
const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/

/** The entries that a new sandbox starts with, the oldest first. */
function firstEntries(): (EntryForm & { alt: string; id: string })[] {
  return readdirSync(folder)
    .toSorted()
    .toReversed()
    .map((name) => {
      const [, head = '', markdown = ''] = FRONT_MATTER.exec(readFileSync(new URL(name, folder), 'utf8')) ?? []
      const of = (key: string) => new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1]?.replace(/^"(.*)"$/, '$1') ?? ''
      const [title, shortDescription, date, picture, alt] = [of('title'), of('summary'), of('date'), of('picture'), of('alt')]
      return { id: name.replace(/^\d+-|\.md$/g, ''), title, shortDescription, date, picture, alt, markdown: markdown.trim() }
    })
}

/** Fills an empty space, once. */
async function fill(db: Database, clock: () => Date): Promise<void> {
  const entries = firstEntries()
  const now = clock()
  const assets = entries.map(({ picture: name, alt }) => ({
    id: name,
    type: 'Asset' as const,
    fields: localized({
      title: name,
      description: alt,
      file: { url: `${IMAGES.replace('https:', '')}/sandbox/${name}.png`, contentType: 'image/png', fileName: `${name}.png` }
    }),
    markdown: '',
    at: now
  }))
  const texts = entries.map((entry) => ({
    id: entry.id,
    type: 'Entry' as const,
    fields: fieldsOf(entry),
    markdown: entry.markdown,
    at: new Date(entry.date)
  }))
  await db.transaction(async (tx) => {
    const [some] = await tx.select({ id: sandboxContents.id }).from(sandboxContents).limit(1)
    if (some) return
    await tx
      .insert(sandboxContents)
      .values(
        [...assets, ...texts].map(({ id, type, fields, markdown, at }, index) => ({
          id,
          type,
          draft: fields,
          published: fields,
          markdown,
          version: 2,
          revision: 1,
          createdAt: at,
          updatedAt: at,
          position: BigInt(index + 1)
        }))
      )
      .onConflictDoNothing()
  })
}

/** The next position of the sync. */
export const nextPosition = sql<bigint>`(select coalesce(max(position), 0) + 1 from sandbox_contents)`
