/** The jobs of the news: the copy, by the clock and when something changed, and its pictures. */
import type { Context } from '../platform/context.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { fetchImage } from './images.ts'
import type { NewsSource } from './port.ts'
import { CHANGED_JOB } from './receive.ts'
import { newsSync } from './schema.ts'
import { IMAGE_JOB, syncNews } from './sync.ts'

const EVERY_SECONDS = 60
const TRIES = 8

export function newsJobs(context: Context, source: NewsSource | undefined): JobKind[] {
  if (!source) return []
  return [
    { name: 'news-sync', role: 'worker', everySeconds: EVERY_SECONDS, run: () => syncNews(context, source) },
    {
      name: CHANGED_JOB,
      role: 'worker',
      tries: TRIES,
      run: async (payload) => {
        const { since } = payload as { since: string }
        // Of many deliveries at once, the first sync that begins after them serves them all.
        const [sync] = await context.db.select({ syncedAt: newsSync.syncedAt }).from(newsSync)
        if (!sync?.syncedAt || sync.syncedAt <= new Date(since)) await syncNews(context, source)
      }
    },
    {
      name: IMAGE_JOB,
      role: 'worker',
      tries: TRIES,
      run: (payload) => fetchImage(context, source, (payload as { url: string }).url)
    }
  ]
}
