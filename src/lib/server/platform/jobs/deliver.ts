import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { outbox } from '../db/schema.ts'
import { describeError } from '../log.ts'

const TRIES = 12
const FIRST_WAIT_SECONDS = 5
const LONGEST_WAIT_SECONDS = 3600
/** A process that takes a mail and dies leaves it to the others after this long, which is longer than any sending. */
const LEASE_SECONDS = 60

type Row = typeof outbox.$inferSelect

/**
 * Sends the next mail that is due and says whether there was one. A mail that can't be sent is tried again with
 * growing waits, and given up after a dozen; sent or given up, its content is forgotten, since it may hold a code.
 * At least once, not exactly.
 */
export async function deliverNext(context: Context): Promise<boolean> {
  const row = await takeNext(context)
  if (!row) return false
  const attempts = row.attempts + 1
  const done = (changes: Partial<Row>) =>
    context.db
      .update(outbox)
      .set({ attempts, ...changes })
      .where(eq(outbox.id, row.id))
  try {
    if (row.mail) await context.ports.mailer.send(row.mail)
    await done({ mail: null, dueAt: null, sentAt: context.clock() })
  } catch (error) {
    const lastError = String(describeError(error).message).slice(0, 500)
    context.log.warn({ outboxId: String(row.id), attempts, lastError }, 'mail not sent')
    const waitSeconds = Math.min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2 ** attempts)
    const dueAt = new Date(context.clock().getTime() + waitSeconds * 1000)
    await done(attempts >= TRIES ? { mail: null, dueAt: null, lastError } : { dueAt, lastError })
  }
  return true
}

function takeNext(context: Context): Promise<Row | undefined> {
  return context.db.transaction(async (tx) => {
    const now = context.clock()
    const [row] = await tx
      .select()
      .from(outbox)
      .where(and(isNotNull(outbox.dueAt), lte(outbox.dueAt, now)))
      .orderBy(asc(outbox.id))
      .limit(1)
      .for('update', { skipLocked: true })
    if (row)
      await tx
        .update(outbox)
        .set({ dueAt: new Date(now.getTime() + LEASE_SECONDS * 1000) })
        .where(eq(outbox.id, row.id))
    return row
  })
}
