import { and, count, desc, eq, gt, lt, max, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { writeMail } from '#lib/messages/index.ts'
import { keepSeenNotice, users } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { noticeOf } from './groups.ts'
import { notices } from './schema.ts'

const mine = ({ userId }: Customer) => eq(notices.userId, userId)

/** How many notices came since the customer last looked. */
export async function countNotices({ db }: Pick<Context, 'db'>, customer: Customer): Promise<Answer<'countNotices'>> {
  const seen = db.select({ id: users.seenNotice }).from(users).where(eq(users.id, customer.userId))
  const [row] = await db
    .select({ unseen: count() })
    .from(notices)
    .where(and(mine(customer), gt(notices.id, sql`(${seen})`)))
  return { unseen: row?.unseen ?? 0 }
}

/** The newest notices, or those before the id `before`. */
export async function listNotices(
  { db }: Pick<Context, 'db'>,
  customer: Customer,
  { limit, before }: { limit: number; before?: string | undefined }
): Promise<Answer<'listNotices'>> {
  const [user] = await db
    .select({ seen: users.seenNotice, locale: users.locale })
    .from(users)
    .where(eq(users.id, customer.userId))
  const older = before ? lt(notices.id, BigInt(before)) : undefined
  const rows = await db
    .select()
    .from(notices)
    .where(and(mine(customer), older))
    .orderBy(desc(notices.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  return {
    notices: shown.flatMap(({ id, name, params, createdAt }) => {
      const made = noticeOf(name, params)
      if (!made) return []
      const title = writeMail(user?.locale ?? 'en', name, params as never).title
      return { ...made, id: id.toString(), at: createdAt.toISOString(), title, isSeen: id <= (user?.seen ?? 0n) }
    }),
    next: rows.length > limit ? (shown.at(-1)?.id.toString() ?? null) : null
  }
}

/** Marks the notices up to this id as seen; an older id changes nothing. */
export async function seeNotices(context: Pick<Context, 'db'>, customer: Customer, upTo: string): Promise<Answer<'seeNotices'>> {
  const [newest] = await context.db
    .select({ id: max(notices.id) })
    .from(notices)
    .where(mine(customer))
  // At most the newest id: a made-up number must not hide later notices.
  const seen = newest?.id == null || BigInt(upTo) < newest.id ? BigInt(upTo) : newest.id
  if (newest?.id != null) await keepSeenNotice(context, customer, seen)
  return countNotices(context, customer)
}
