/** Reads the JSON of Contentful's delivery and preview APIs. Source: its references "Synchronization" and "Entries". */
import { z } from 'zod'
import { assetIdOf, CONTENTFUL_ID } from '#lib/domain/news/richText.ts'
import type { SourceAsset, SourceChange, SourceEntry } from '../../port.ts'

const fields = z.record(z.string(), z.unknown())
const item = z.object({
  sys: z.object({
    id: z.string().regex(CONTENTFUL_ID),
    type: z.string(),
    createdAt: z.string().optional(),
    contentType: z.object({ sys: z.object({ id: z.string() }) }).optional()
  }),
  fields: fields.optional()
})
type Item = z.infer<typeof item>

const withUrl = { nextPageUrl: z.string().optional(), nextSyncUrl: z.string().optional() }
export const syncAnswer = z.object({ items: z.array(z.unknown()).max(1000), ...withUrl })
export const entriesAnswer = z.object({
  items: z.array(item).max(1000),
  includes: z.object({ Asset: z.array(item).optional() }).optional()
})
/** A date outside these years is taken for a mistake, and is not used. */
const YEARS = { first: 1970, last: 9999 }

const LONGEST_TITLE = 300
const LONGEST_SUMMARY = 1000

/** The settings of the space that reading needs. */
export type Reading = { locale: string; contentType: string; imagesOrigin: string }

/** The value of a field in our locale; undefined if it has none. */
function inLocale(item: Item, name: string, locale: string): unknown {
  const value = item.fields?.[name]
  return typeof value === 'object' && value !== null && locale in value ? (value as Record<string, unknown>)[locale] : undefined
}

function textIn(item: Item, name: string, { locale }: Reading, longest: number): string | undefined {
  const value = inLocale(item, name, locale)
  const text = typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed().trim() : ''
  return text === '' ? undefined : text.slice(0, longest).toWellFormed()
}

function dateOf(text: unknown): Date | undefined {
  const date = new Date(typeof text === 'string' ? text : Number.NaN)
  const year = date.getUTCFullYear()
  return year >= YEARS.first && year <= YEARS.last ? date : undefined
}

export function entryOf(item: Item, reading: Reading): SourceEntry {
  return {
    id: item.sys.id,
    title: textIn(item, 'title', reading, LONGEST_TITLE),
    shortDescription: textIn(item, 'shortDescription', reading, LONGEST_SUMMARY),
    thumbnailId: assetIdOf(inLocale(item, 'thumbnailBanner', reading.locale)),
    mainContent: storable(inLocale(item, 'mainContent', reading.locale)),
    date: dateOf(inLocale(item, 'date', reading.locale)) ?? dateOf(item.sys.createdAt) ?? new Date(0)
  }
}

/** Removes what PostgreSQL does not store in JSON: NUL, and halves of surrogate pairs. */
function storable(value: unknown): unknown {
  if (value === undefined) return undefined
  return JSON.parse(
    JSON.stringify(value, (_, one) => (typeof one === 'string' ? one.replaceAll('\u0000', '').toWellFormed() : one))
  )
}

const file = z.object({ url: z.string().min(1).max(2000), contentType: z.string() })

/** A picture on the configured host; for anything else, the reason why it is left out. */
export function assetOf(item: Item, reading: Reading): SourceAsset | { why: string } {
  const { success, data } = file.safeParse(inLocale(item, 'file', reading.locale))
  if (!success) return { why: 'no file' }
  if (!data.contentType.startsWith('image/')) return { why: `a file of the type ${data.contentType}` }
  const url = data.url.startsWith('//') ? `${new URL(reading.imagesOrigin).protocol}${data.url}` : data.url
  if (!URL.canParse(url) || new URL(url).origin !== reading.imagesOrigin) return { why: 'on another host' }
  const title = textIn(item, 'title', reading, LONGEST_TITLE) ?? ''
  return {
    id: item.sys.id,
    url: new URL(url).href,
    title,
    description: textIn(item, 'description', reading, LONGEST_SUMMARY) ?? ''
  }
}

/** An item that cannot be read does not hold up the others. */
export function changesOf(value: unknown, reading: Reading): SourceChange[] {
  const { success, data } = item.safeParse(value)
  return success ? changeOf(data, reading) : [{ kind: 'ignored', id: '', why: 'it cannot be read' }]
}

function changeOf(item: Item, reading: Reading): SourceChange[] {
  const { id, type, contentType } = item.sys
  if (type === 'DeletedEntry') return [{ kind: 'entryRemoved', id }]
  if (type === 'DeletedAsset') return [{ kind: 'assetRemoved', id }]
  if (type === 'Entry' && contentType?.sys.id === reading.contentType) return [{ kind: 'entry', entry: entryOf(item, reading) }]
  if (type !== 'Asset') return []
  const asset = assetOf(item, reading)
  // An asset whose file is no longer a picture counts as removed.
  return 'why' in asset
    ? [
        { kind: 'ignored', id, why: asset.why },
        { kind: 'assetRemoved', id }
      ]
    : [{ kind: 'asset', asset }]
}
