import { z } from '@hono/zod-openapi'
import { IMAGE_FORMATS, NEWS_PAGE_SIZE } from '#lib/domain/news/entry.ts'
import type { RichText } from '#lib/domain/news/richText.ts'
import { moment, paged } from './common.ts'

const image = z.object({
  url: z.string(),
  title: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  /** The image in every available size and format. */
  files: z.array(z.object({ url: z.string(), width: z.number().int(), format: z.enum(IMAGE_FORMATS) }))
})

const card = z.object({
  id: z.string(),
  contentful_id: z.string(),
  title: z.string(),
  short_description: z.string(),
  thumbnail_banner: image.nullable(),
  contentful_created_at: moment
})

/** Rich text in Contentful's format, reduced to what we show. */
const richText = z.custom<RichText>((value) => typeof value === 'object').openapi({ type: 'object' })

const entry = card.extend({
  raw_data: z.object({ fields: z.object({ mainContent: richText }) }),
  /** The pictures in the text, by asset id; a picture that is not ready yet is missing. */
  images: z.record(z.string(), image)
})

const entryId = z.string().regex(/^[\w.-]{1,64}$/)

export const newsShapes = {
  listNews: {
    summary: 'News, newest first',
    query: z.strictObject({
      ...paged,
      size: paged.size.default(NEWS_PAGE_SIZE),
      order_by: z.enum(['contentful_created_at desc', 'contentful_created_at asc']).default('contentful_created_at desc')
    }),
    answer: z.object({ data: z.array(card), total: z.number().int() })
  },
  getNews: { summary: 'An entry of the news', params: z.object({ id: entryId }), answer: entry },
  receiveNewsEvent: {
    summary: "A delivery of the editors' webhook",
    answer: z.object({ outcome: z.enum(['taken', 'known', 'ignored']) })
  },
  createNewsPreview: {
    summary: 'A link to a draft, for everybody who has it, that ends',
    body: z.strictObject({ id: entryId, key: z.string().min(1).max(200) }),
    answer: z.object({ path: z.string(), endsAt: moment })
  },
  readNewsPreview: {
    summary: 'A draft by its link',
    body: z.strictObject({ token: z.string().min(1).max(300) }),
    answer: entry.extend({
      endsAt: moment,
      missing: z.array(z.enum(['title', 'short_description', 'main_content', 'thumbnail_banner']))
    })
  }
}
