import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { newsEvents } from './schema.ts'

export const CHANGED_JOB = 'news-changed'
/** The delivery API may answer with the state before a change for some seconds: we ask at once, and again after this. */
const AGAIN_AFTER_MS = 5000

/** Something changed: enqueues a sync. The delivery itself is not used, so that a forged one could tell us nothing. A repeat is `known`. */
export function receiveNewsEvent(context: Context, { signature, topic }: { signature: string; topic: string }) {
  return transact(context, async ({ tx, now, enqueue }) => {
    const [taken] = await tx
      .insert(newsEvents)
      .values({ signature, topic, receivedAt: now })
      .onConflictDoNothing()
      .returning({ signature: newsEvents.signature })
    if (!taken) return 'known' as const
    const again = new Date(now.getTime() + AGAIN_AFTER_MS)
    await enqueue(...[now, again].map((since) => ({ kind: CHANGED_JOB, payload: { since: since.toISOString() }, runAt: since })))
    return 'taken' as const
  })
}
