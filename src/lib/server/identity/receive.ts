import { and, eq, lt, notInArray, or } from 'drizzle-orm'
import { type User, users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import type { IdentityEvent, IdentityProvider } from './port.ts'
import { type IdentityInfo, identityChecks, identityEvents } from './schema.ts'

export type IdentityOutcome = 'applied' | 'older' | 'unknown_customer' | 'known'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/**
 * Handles an event of the identity provider, once: a repeated delivery returns `known` and changes nothing. Events may arrive in
 * any order; one older than the stored status returns `older`. The check's results are fetched when it is passed, and deleted when
 * it is reopened.
 */
export async function receiveIdentityEvent(
  context: Context,
  provider: IdentityProvider,
  event: IdentityEvent
): Promise<IdentityOutcome> {
  // Before the transaction: no network call while rows are locked. If it fails, the provider delivers the event again.
  const [known] = await findCustomer(context.db, event)
  const info = known && event.status === 'completed' ? await provider.readInfo(event.customerId) : null
  const outcome = await transact(context, (work) => take(work, event, info))
  context.log.info({ type: event.type, status: event.status, outcome }, 'identity event')
  return outcome
}

async function findCustomer(db: Executor, { customerId }: IdentityEvent): Promise<User[]> {
  return UUID.test(customerId) ? db.select().from(users).where(eq(users.id, customerId)) : []
}

async function take(work: Work, event: IdentityEvent, info: IdentityInfo | null): Promise<IdentityOutcome> {
  const { tx, now: receivedAt } = work
  const [user] = await findCustomer(tx, event)
  const before = user && (await lockStatus(work, user))
  const [taken] = await tx
    .insert(identityEvents)
    .values({
      digest: event.digest,
      userId: user?.id ?? null,
      type: event.type,
      outcome: user ? 'applied' : 'unknown_customer',
      occurredAt: event.occurredAt,
      receivedAt
    })
    .onConflictDoNothing()
    .returning({ digest: identityEvents.digest })
  if (!taken) return 'known'
  if (!user) return 'unknown_customer'
  const { applicantId, status: reviewStatus, occurredAt: statusAt } = event
  // What an earlier check found stays while it is done again: a reward that was refused for it must stay refused.
  const row = { applicantId, reviewStatus, ...(info && { info }), statusAt, updatedAt: receivedAt }
  const [applied] = await tx
    .insert(identityChecks)
    .values({ userId: user.id, createdAt: receivedAt, ...row })
    .onConflictDoUpdate({
      target: identityChecks.userId,
      set: row,
      // Of two events in the same millisecond, a final result wins.
      setWhere: or(
        lt(identityChecks.statusAt, statusAt),
        and(eq(identityChecks.statusAt, statusAt), notInArray(identityChecks.reviewStatus, ['completed', 'rejected', 'retry']))
      )
    })
    .returning({ userId: identityChecks.userId })
  if (!applied) {
    await tx.update(identityEvents).set({ outcome: 'older' }).where(eq(identityEvents.digest, event.digest))
    return 'older'
  }
  // One result may come as two events, for the review and for its workflow: mail it once.
  const mail = before === event.status ? undefined : mailOf(event)
  if (mail) await work.enqueue(mailTo(user, mail, {}))
  return 'applied'
}

/** Locks the customer's row, so that events take turns, and returns the status of the check. */
async function lockStatus({ tx }: Work, { id }: User): Promise<string | undefined> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
  const [check] = await tx
    .select({ status: identityChecks.reviewStatus })
    .from(identityChecks)
    .where(eq(identityChecks.userId, id))
  return check?.status
}

function mailOf({ status }: IdentityEvent) {
  if (status === 'completed') return 'identityVerified'
  if (status === 'rejected') return 'identityRejected'
  return status === 'retry' ? 'identityRetry' : undefined
}
