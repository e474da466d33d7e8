import type { Context } from '../platform/context.ts'
import type { NewJob } from '../platform/jobs/insert.ts'
import { transact } from '../platform/transaction.ts'
import { newsEvents } from './schema.ts'

export const CHANGED_JOB = 'news-changed'
/** The delivery API may answer with the state before a change for some seconds: we ask at once, and again after this. */
const AGAIN_AFTER_MS = 5000

/**
 * Something changed: enqueues a sync, and one more. All deliveries of five seconds share the two. What a delivery says is not used, so that
 * a forged one could tell us nothing. A repeat is `known`.
 */
export function receiveNewsEvent(context: Context, { signature, topic }: { signature: string; topic: string }) {
  return transact(context, async ({ tx, now, enqueue }) => {
    const [taken] = await tx
      .insert(newsEvents)
      .values({ signature, topic, receivedAt: now })
      .onConflictDoNothing()
      .returning({ signature: newsEvents.signature })
    if (!taken) return 'known' as const
    const share = Math.floor(now.getTime() / AGAIN_AFTER_MS)
    await enqueue(syncAt(`${share}`, now), syncAt(`${share} again`, new Date(now.getTime() + AGAIN_AFTER_MS)))
    return 'taken' as const
  })
}

function syncAt(key: string, since: Date): NewJob {
  return { kind: CHANGED_JOB, key: `${CHANGED_JOB} ${key}`, payload: { since: since.toISOString() }, runAt: since }
}
