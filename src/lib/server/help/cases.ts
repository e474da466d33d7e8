/** Cases of support: what customers see of them, and what staff do with them. */
import { and, asc, count, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { users } from '../access/index.ts'
import { type Actor, actorText, type Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { literal } from '../platform/db/columns.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { supportCases, supportMessages } from './schema.ts'

export type SupportCase = typeof supportCases.$inferSelect
export type CaseMessage = typeof supportMessages.$inferSelect

const SHOWN = 20

/** The newest cases of a customer, each with what was written; notes of staff are not among it. */
export async function casesOfCustomer(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<Customer, 'userId'>
): Promise<Answer<'listSupportCases'>> {
  const cases = await db
    .select()
    .from(supportCases)
    .where(eq(supportCases.userId, userId))
    .orderBy(desc(supportCases.openedAt))
    .limit(SHOWN)
  const messages = await messagesOf(
    db,
    cases.map(({ number }) => number)
  )
  return cases.map(({ number, state, openedAt }) => ({
    number,
    state,
    openedAt: openedAt.toISOString(),
    messages: messages
      .filter((message) => message.number === number && message.from !== 'note')
      .map(({ from, text, at }) => ({
        from: from === 'staff' ? ('support' as const) : ('you' as const),
        text,
        at: at.toISOString()
      }))
  }))
}

function messagesOf(db: Executor, numbers: string[]): Promise<CaseMessage[]> {
  if (numbers.length === 0) return Promise.resolve([])
  return db.select().from(supportMessages).where(inArray(supportMessages.number, numbers)).orderBy(asc(supportMessages.id))
}

type NewCase = Pick<SupportCase, 'number' | 'email' | 'context'> & { userId: string | undefined; message: string }

export async function openCase({ tx, now }: Work, { number, userId, email, context, message }: NewCase): Promise<void> {
  await tx
    .insert(supportCases)
    .values({ number, userId: userId ?? null, email, context, state: 'open', openedAt: now, waitsSince: now })
  await tx.insert(supportMessages).values({ number, from: 'sender', text: message, at: now })
}

/** A further message of the customer whose case it is: it is open again. False if there is none. */
export async function addToCase(
  { tx, now }: Work,
  { number, userId, message }: { number: string; userId: string; message: string }
): Promise<boolean> {
  const [found] = await tx
    .update(supportCases)
    .set({ state: 'open', waitsSince: now, snoozedUntil: null, snoozeWhy: null })
    .where(and(eq(supportCases.number, number), eq(supportCases.userId, userId)))
    .returning({ number: supportCases.number })
  if (found) await tx.insert(supportMessages).values({ number, from: 'sender', text: message, at: now })
  return found !== undefined
}

export type CaseFilter = 'open' | 'mine' | 'snoozed' | 'over'
const LISTED = 200
const isOpen = eq(supportCases.state, literal('open'))
/** Open, and not put off. */
const waitsAt = (now: Date) => and(isOpen, or(isNull(supportCases.snoozedUntil), lte(supportCases.snoozedUntil, now)))

/** Open ones, those that wait longest first; or those that are over, newest first. Each with its first message. */
export async function listCases(
  { db, clock }: Context,
  filter: CaseFilter,
  staffId: string
): Promise<(SupportCase & { first: string })[]> {
  const now = clock()
  const which = {
    open: waitsAt(now),
    mine: and(isOpen, eq(supportCases.assignedTo, staffId)),
    snoozed: and(isOpen, gt(supportCases.snoozedUntil, now)),
    over: inArray(supportCases.state, ['answered', 'closed'])
  }[filter]
  const first = sql<string>`(select m.text from ${supportMessages} m where m.number = ${supportCases.number} order by m.id limit 1)`
  const rows = await db
    .select({ row: supportCases, first })
    .from(supportCases)
    .where(which)
    .orderBy(filter === 'over' ? desc(supportCases.waitsSince) : asc(supportCases.waitsSince))
    .limit(LISTED)
  return rows.map(({ row, first: text }) => ({ ...row, first: text }))
}

export async function findCase(
  db: Executor,
  number: string
): Promise<{ found: SupportCase; messages: CaseMessage[] } | undefined> {
  const [found] = await db.select().from(supportCases).where(eq(supportCases.number, number))
  return found && { found, messages: await messagesOf(db, [number]) }
}

/** The newest cases of a customer, for staff. */
export function casesAbout(db: Executor, userId: string): Promise<SupportCase[]> {
  return db.select().from(supportCases).where(eq(supportCases.userId, userId)).orderBy(desc(supportCases.openedAt)).limit(SHOWN)
}

/** How many wait for an answer now, and since when the oldest does. */
export async function waitingCases({
  db,
  clock
}: Pick<Context, 'db' | 'clock'>): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await db
    .select({ count: count(), oldestAt: sql<string | null>`min(${supportCases.waitsSince})` })
    .from(supportCases)
    .where(waitsAt(clock()))
  return { count: row?.count ?? 0, oldestAt: row?.oldestAt ? new Date(row.oldestAt) : null }
}

type Step = { number: string; actor: Actor }

/** `seen`: when the newest message came that was read. Undefined if there is no such case, or a newer message. */
async function change(
  { tx }: Work,
  { number, seen }: { number: string; seen?: Date },
  values: Partial<SupportCase>
): Promise<SupportCase | undefined> {
  const isIt = and(eq(supportCases.number, number), seen && eq(supportCases.waitsSince, seen))
  const [found] = await tx.update(supportCases).set(values).where(isIt).returning()
  return found
}

/** A step that ends the waiting of a case: only of what was read. */
type Seen = { number: string; seen: Date }

/** Mails the answer; a customer reads it among their notices, too. False if there is a newer message. `link`: where they read it. */
export async function answerCase(
  work: Work,
  { number, seen, actor, text, link, replyTo }: Step & Seen & { text: string; link: string; replyTo: string }
): Promise<boolean> {
  const found = await change(work, { number, seen }, { state: 'answered', snoozedUntil: null, snoozeWhy: null })
  if (!found) return false
  await work.tx.insert(supportMessages).values({ number, from: 'staff', actor: actorText(actor), text, at: work.now })
  const [user] = found.userId
    ? await work.tx
        .select({ id: users.id, email: users.email, locale: users.locale })
        .from(users)
        .where(eq(users.id, found.userId))
    : []
  await work.enqueue(
    user
      ? mailTo(user, 'supportAnswered', { number, text, link })
      : mailTo({ email: found.email, locale: 'en' }, 'supportAnsweredVisitor', { number, text, replyTo })
  )
  return true
}

export async function noteCase(work: Work, { number, actor, text }: Step & { text: string }): Promise<boolean> {
  const [found] = await work.tx.select({ number: supportCases.number }).from(supportCases).where(eq(supportCases.number, number))
  if (found) await work.tx.insert(supportMessages).values({ number, from: 'note', actor: actorText(actor), text, at: work.now })
  return found !== undefined
}

/** `staffId`: null for nobody. */
export async function assignCase(work: Work, number: string, staffId: string | null): Promise<boolean> {
  return (await change(work, { number }, { assignedTo: staffId })) !== undefined
}

/** Out of the list until then; a new message of the customer brings it back. */
export async function snoozeCase(work: Work, of: Seen, { until, why }: { until: Date; why: string }): Promise<boolean> {
  return (await change(work, of, { snoozedUntil: until, snoozeWhy: why })) !== undefined
}

export async function closeCase(work: Work, of: Seen): Promise<boolean> {
  return (await change(work, of, { state: 'closed', snoozedUntil: null, snoozeWhy: null })) !== undefined
}
