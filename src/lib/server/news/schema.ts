import { sql } from 'drizzle-orm'
import { bigint, boolean, customType, index, integer, jsonb, pgTable, primaryKey, smallint, text } from 'drizzle-orm/pg-core'
import type { ImageFormat } from '#lib/domain/news/entry.ts'
import { moment } from '../platform/db/columns.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** Published entries, copied from the editors' system, so that the news page works while that is down. */
export const newsEntries = pgTable(
  'news_entries',
  {
    /** Assigned by the editors' system. */
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    shortDescription: text('short_description').notNull(),
    /** The asset of the thumbnail. */
    thumbnailId: text('thumbnail_id'),
    /** Rich text as the editor wrote it; it is filtered when it is read. */
    mainContent: jsonb('main_content').$type<unknown>(),
    /** The editor's date, or else when the entry was made. Entries are sorted by it, and not shown before it. */
    date: moment('date').notNull(),
    /** The generation in which it was last written. A full sync starts a new generation, and removes entries of earlier ones. */
    generation: integer('generation').notNull()
  },
  (table) => [index('news_entries_date').on(table.date, table.id)]
)

/** Which assets an entry shows. */
export const newsEntryAssets = pgTable(
  'news_entry_assets',
  { entryId: text('entry_id').notNull(), assetId: text('asset_id').notNull() },
  (table) => [primaryKey({ columns: [table.entryId, table.assetId] }), index('news_entry_assets_asset').on(table.assetId)]
)

/** The pictures of the editors' system: the address of each, and its alternative text. */
export const newsAssets = pgTable('news_assets', {
  id: text('id').primaryKey(),
  url: text('url').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  generation: integer('generation').notNull()
})

/** A picture that we fetch, check and keep, by the address that it was fetched from. A new file of an asset has a new address. */
export const newsImages = pgTable('news_images', {
  url: text('url').primaryKey(),
  state: text('state').$type<'waiting' | 'ready' | 'refused'>().notNull(),
  /** Why it was refused. */
  reason: text('reason'),
  /** The hash of its bytes, in hexadecimal: part of the address that we serve it from. */
  hash: text('hash'),
  width: integer('width'),
  height: integer('height'),
  /** When the clean-up found that nothing shows it; null while something does. */
  unusedSince: moment('unused_since'),
  createdAt: moment('created_at').notNull()
})

export const newsImageFiles = pgTable(
  'news_image_files',
  {
    hash: text('hash').notNull(),
    width: integer('width').notNull(),
    format: text('format').$type<ImageFormat>().notNull(),
    body: bytes('body').notNull()
  },
  (table) => [primaryKey({ columns: [table.hash, table.width, table.format] })]
)

/** The position of the copy: one row. */
export const newsSync = pgTable('news_sync', {
  id: smallint('id').primaryKey().default(1),
  /** The space that is copied; with another one the copy starts from the beginning. */
  source: text('source').notNull(),
  /** Where the next page begins; null: at the beginning. */
  token: text('token'),
  /** A sync from the beginning is under way. */
  isInitial: boolean('is_initial').notNull(),
  generation: integer('generation').notNull(),
  /** The number of entries, so that no page counts them. */
  total: integer('total').notNull(),
  /** When the last complete sync began. */
  syncedAt: moment('synced_at')
})

/** Webhook deliveries that were accepted, so that a repeated one does nothing. */
export const newsEvents = pgTable('news_events', {
  signature: text('signature').primaryKey(),
  topic: text('topic').notNull(),
  receivedAt: moment('received_at').notNull()
})

/** The sandbox's editors' system: entries and assets with their drafts. Empty in production. */
export const sandboxContents = pgTable(
  'sandbox_contents',
  {
    id: text('id').primaryKey(),
    type: text('type').$type<'Entry' | 'Asset'>().notNull(),
    /** Fields by locale, as saved and as published. */
    draft: jsonb('draft').$type<Record<string, unknown>>().notNull(),
    published: jsonb('published').$type<Record<string, unknown>>(),
    /** The text in Markdown, for the desk's form. */
    markdown: text('markdown').notNull().default(''),
    version: integer('version').notNull(),
    /** Counts publications. */
    revision: integer('revision').notNull().default(0),
    isDeleted: boolean('is_deleted').notNull().default(false),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** Grows with every publication and removal: the position of the sync. Null: never published. */
    position: bigint('position', { mode: 'bigint' })
  },
  (table) => [index('sandbox_contents_position').on(table.position).where(sql`${table.position} is not null`)]
)
