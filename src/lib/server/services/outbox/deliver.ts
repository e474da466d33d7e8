import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import { outbox } from '../../db/schema.ts'
import type { Context } from '../context.ts'

const BATCH = 20
const TRIES = 12
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3600
/** A process that takes a mail and dies leaves it to the others after this long. */
const LEASE_SECONDS = 60

/**
 * Sends what is due and returns how many it took. A mail that can't be sent is tried again with growing waits, and
 * given up after a dozen; once sent its content is forgotten, since it may hold a code. At least once, not exactly.
 */
export async function deliverOutbox(context: Context): Promise<number> {
  const due = await context.db.transaction(async (tx) => {
    const now = context.clock()
    const rows = await tx
      .select()
      .from(outbox)
      .where(and(isNotNull(outbox.dueAt), lte(outbox.dueAt, now)))
      .orderBy(asc(outbox.id))
      .limit(BATCH)
      .for('update', { skipLocked: true })
    for (const row of rows) {
      await tx
        .update(outbox)
        .set({ dueAt: new Date(now.getTime() + LEASE_SECONDS * 1000) })
        .where(eq(outbox.id, row.id))
    }
    return rows
  })
  for (const row of due) {
    const attempts = row.attempts + 1
    try {
      if (row.mail) await context.ports.mailer.send(row.mail)
      await context.db
        .update(outbox)
        .set({ mail: null, dueAt: null, attempts, sentAt: context.clock() })
        .where(eq(outbox.id, row.id))
    } catch (error) {
      const lastError = error instanceof Error ? error.message.slice(0, 500) : 'unknown'
      const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** attempts)
      const dueAt = attempts >= TRIES ? null : new Date(context.clock().getTime() + waitSeconds * 1000)
      await context.db.update(outbox).set({ attempts, lastError, dueAt }).where(eq(outbox.id, row.id))
      context.log.warn({ outboxId: String(row.id), attempts, lastError }, 'mail not sent')
    }
  }
  return due.length
}
