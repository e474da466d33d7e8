/** The jobs of the news: the sync, every minute and after a webhook, and fetching its pictures. */
import type { Context } from '../platform/context.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { fetchImage, IMAGE_JOB } from './images.ts'
import type { NewsSource } from './port.ts'
import { CHANGED_JOB } from './receive.ts'
import { newsSync } from './schema.ts'
import { syncNews } from './sync.ts'

const EVERY_SECONDS = 60
const IMAGE_TRIES = 8

export function newsJobs(context: Context, source: NewsSource | undefined): JobKind[] {
  if (!source) return []
  return [
    { name: 'news-sync', role: 'worker', lanes: 'slow', everySeconds: EVERY_SECONDS, run: () => syncNews(context, source) },
    {
      name: CHANGED_JOB,
      role: 'worker',
      lanes: 'slow',
      run: async (payload) => {
        const { since } = payload as { since: string }
        const [sync] = await context.db.select({ syncedAt: newsSync.syncedAt }).from(newsSync)
        if (sync?.syncedAt && sync.syncedAt > new Date(since)) return
        await syncNews(context, source).catch((error: unknown) => {
          if (!(error instanceof UnavailableError)) throw error
          // The sync of the next minute tries again.
          context.log.warn({ err: error }, 'news: the change could not be read yet')
        })
      }
    },
    {
      name: IMAGE_JOB,
      role: 'worker',
      lanes: 'slow',
      tries: IMAGE_TRIES,
      run: (payload) => fetchImage(context, source, (payload as { url: string }).url)
    }
  ]
}
