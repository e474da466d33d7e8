import type { newsCalls } from '#lib/contract/news.ts'
import type { Call, Handlers } from '../platform/api/mount.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { NewsSignatureError, type NewsSource } from './port.ts'
import { createPreview, readPreview } from './preview.ts'
import { listNews, readNews } from './read.ts'
import { receiveNewsEvent } from './receive.ts'

export function newsHandlers(context: Context, source: NewsSource | undefined): Handlers<keyof typeof newsCalls> {
  return {
    // Without a source nothing is shown: what was copied from an earlier space could no longer be corrected.
    listNews: async ({ query }) => (source ? listNews(context, query) : { data: [], total: 0 }),
    getNews: async ({ params }) => {
      if (!source) throw new AppError('news_not_found')
      return readNews(context, params.id)
    },
    receiveNewsEvent: async (call) => {
      if (!source) return { outcome: 'ignored' }
      return { outcome: await receiveNewsEvent(context, await readEvent(source, call)) }
    },
    createNewsPreview: ({ body }) => createPreview(context, source, body),
    readNewsPreview: ({ body }) => readPreview(context, source, body.token)
  }
}

/** Verifies a delivery; its signature covers the bytes of the body as they came. Throws `signature_invalid`. */
async function readEvent(source: NewsSource, { http }: Call<'receiveNewsEvent'>) {
  const { pathname, search } = new URL(http.req.url)
  const body = await http.req.text()
  try {
    return source.readEvent({ method: http.req.method, path: `${pathname}${search}`, body, headers: http.req.header() })
  } catch (error) {
    if (error instanceof NewsSignatureError) throw new AppError('signature_invalid')
    throw error
  }
}
