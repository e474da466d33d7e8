import type { Context } from '../platform/context.ts'
import type { NewJob } from '../platform/jobs/insert.ts'
import { transact } from '../platform/transaction.ts'
import { newsEvents } from './schema.ts'

export const CHANGED_JOB = 'news-changed'
/** For some seconds the delivery API may still return the state before a change: we sync at once, and again after this time. */
const AGAIN_AFTER_MS = 5000

/**
 * Enqueues a sync now and another one later, which all deliveries within five seconds share. What a delivery says is not used, so that a
 * forged one has no effect on the news. A repeated delivery is `known`.
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
