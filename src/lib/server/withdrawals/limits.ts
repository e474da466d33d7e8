/** Limits of single customers: asked for by them, raised by two of compliance, ended by themselves. */
import { and, asc, count, desc, eq, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { ASK_AGAIN_DAYS, dayLimit, LIMIT_HOURS } from '#lib/domain/withdrawals/limit.ts'
import type { WithdrawalLimits } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatMoment } from '#lib/format/dates.ts'
import { users } from '../access/index.ts'
import { requireVerified } from '../identity/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { dollars, sumsOfDay } from './gate.ts'
import { limitRequests, withdrawalLimits } from './schema.ts'

export type LimitRequest = typeof limitRequests.$inferSelect

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const raisedOf = builtOnce((db) =>
  db
    .select({ dayCents: withdrawalLimits.dayCents, endsAt: withdrawalLimits.endsAt })
    .from(withdrawalLimits)
    .where(eq(withdrawalLimits.userId, sql.placeholder('user')))
    .prepare('withdrawal_limit')
)

/** What this customer may withdraw in 24 hours. */
export async function dayLimitOf(db: Executor, userId: string, limits: WithdrawalLimits, now: Date): Promise<bigint> {
  if (limits.mostCents <= limits.dayCents) return limits.dayCents
  const [raised] = await raisedOf(db).execute({ user: userId })
  return dayLimit(limits, raised, now)
}

/** The limit, what is used of it, and the newest request. */
export async function ownLimit(
  { db, clock }: Context,
  limits: WithdrawalLimits,
  { userId }: Pick<Customer, 'userId'>
): Promise<Answer<'getOwnLimit'>> {
  const now = clock()
  const [dayCents, { usdCents: used }, [raised], [newest]] = await Promise.all([
    dayLimitOf(db, userId, limits, now),
    sumsOfDay(db, userId, now),
    raisedOf(db).execute({ user: userId }),
    db.select().from(limitRequests).where(eq(limitRequests.userId, userId)).orderBy(desc(limitRequests.id)).limit(1)
  ])
  const isRaised = raised !== undefined && raised.endsAt > now && dayCents > limits.dayCents
  return {
    dayCents: dayCents.toString(),
    usedCents: used.toString(),
    mostCents: (limits.mostCents > limits.dayCents ? limits.mostCents : limits.dayCents).toString(),
    raisedUntil: isRaised ? raised.endsAt.toISOString() : null,
    request: newest
      ? {
          askedCents: newest.askedCents.toString(),
          state: newest.state,
          askedAt: newest.askedAt.toISOString(),
          dueAt: newest.dueAt.toISOString(),
          answer: newest.answer
        }
      : null
  }
}

/**
 * A request with a deadline, which staff answer by mail. Throws `kyc_required`, `limit_too_low`, `limit_too_high`, `limit_asked` while one is
 * open, and `limit_refused` soon after a refusal.
 */
export async function askForLimit(
  context: Context,
  limits: WithdrawalLimits,
  customer: Customer,
  { dayCents, why }: { dayCents: bigint; why: string }
): Promise<void> {
  await transact(context, async (work) => {
    const [user] = await work.tx.select().from(users).where(eq(users.id, customer.userId)).for('update')
    if (!user) throw new Error('There is no such customer')
    await requireVerified(work.tx, customer)
    if (dayCents > limits.mostCents) throw new AppError('limit_too_high', { params: { most: dollars(limits.mostCents) } })
    if (dayCents <= (await dayLimitOf(work.tx, user.id, limits, work.now))) throw new AppError('limit_too_low')
    const [newest] = await work.tx
      .select()
      .from(limitRequests)
      .where(eq(limitRequests.userId, user.id))
      .orderBy(desc(limitRequests.id))
      .limit(1)
    if (newest?.state === 'open') throw new AppError('limit_asked')
    const again = newest?.state === 'refused' && newest.decidedAt && newest.decidedAt.getTime() + ASK_AGAIN_DAYS * DAY_MS
    if (again && again > work.now.getTime())
      throw new AppError('limit_refused', { params: { on: formatMoment(new Date(again).toISOString()) } })
    const dueAt = new Date(work.now.getTime() + LIMIT_HOURS * HOUR_MS)
    await work.tx
      .insert(limitRequests)
      .values({ userId: user.id, askedCents: dayCents, why, askedAt: work.now, dueAt, state: 'open' })
    const due = `${formatMoment(dueAt.toISOString())} UTC`
    await work.enqueue(mailTo(user, 'limitAsked', { limit: dollars(dayCents), due, link: `${context.origin}/limits` }))
  })
}

/** Open requests, the one due first on top. */
export function openLimitRequests(db: Executor): Promise<LimitRequest[]> {
  return db
    .select()
    .from(limitRequests)
    .where(eq(limitRequests.state, literal('open')))
    .orderBy(asc(limitRequests.dueAt))
    .limit(200)
}

export function limitRequestsOf(db: Executor, userId: string): Promise<LimitRequest[]> {
  return db.select().from(limitRequests).where(eq(limitRequests.userId, userId)).orderBy(desc(limitRequests.id)).limit(20)
}

/** How many wait, and since when the oldest does. */
export async function limitRequestsWaiting(db: Executor): Promise<{ count: number; oldestAt: Date | null; dueAt: Date | null }> {
  const [row] = await db
    .select({
      count: count(),
      oldestAt: sql<string | null>`min(${limitRequests.askedAt})`,
      dueAt: sql<string | null>`min(${limitRequests.dueAt})`
    })
    .from(limitRequests)
    .where(eq(limitRequests.state, literal('open')))
  const date = (text: string | null | undefined) => (text ? new Date(text) : null)
  return { count: row?.count ?? 0, oldestAt: date(row?.oldestAt), dueAt: date(row?.dueAt) }
}

/** The open request, locked until the transaction ends. */
export async function lockLimitRequest({ tx }: Work, id: bigint): Promise<LimitRequest | undefined> {
  const [found] = await tx
    .select()
    .from(limitRequests)
    .where(and(eq(limitRequests.id, id), eq(limitRequests.state, 'open')))
    .for('update')
  return found
}

type Decided = { request: LimitRequest; decidedBy: string; approvedBy?: string; answer?: string }

/** Raises the limit until a day; the caller has locked the request. */
export async function raiseLimit(
  work: Work,
  { dayCents, endsAt, ...decided }: Decided & { dayCents: bigint; endsAt: Date }
): Promise<void> {
  const row = { userId: decided.request.userId, dayCents, endsAt, requestId: decided.request.id, setAt: work.now }
  await work.tx.insert(withdrawalLimits).values(row).onConflictDoUpdate({ target: withdrawalLimits.userId, set: row })
  await close(work, decided, 'raised')
}

export const refuseLimit = (work: Work, decided: Decided): Promise<void> => close(work, decided, 'refused')

async function close({ tx, now }: Work, { request, decidedBy, approvedBy, answer }: Decided, state: 'raised' | 'refused') {
  await tx
    .update(limitRequests)
    .set({ state, decidedAt: now, decidedBy, approvedBy: approvedBy ?? null, answer: answer ?? null })
    .where(eq(limitRequests.id, request.id))
}
