import { and, count, desc, eq, gt, inArray, isNull, lt, max, type Placeholder, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import type { NoticeArea } from '#lib/domain/notices/kinds.ts'
import { writeMail } from '#lib/messages/index.ts'
import { keepSeenNotice, users } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { builtOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { namesIn, noticeOf } from './groups.ts'
import { notices } from './schema.ts'

const mine = (userId: string | Placeholder) => eq(notices.userId, userId)
/** Neither opened nor seen with all others. */
function isNew(db: Executor, userId: string | Placeholder) {
  const seen = db.select({ id: users.seenNotice }).from(users).where(eq(users.id, userId))
  return and(gt(notices.id, sql`(${seen})`), isNull(notices.openedAt))
}

/** More than these are not counted: every page asks for their number. */
const MOST_COUNTED = 100

/** How many notices are new, at most 100: neither opened nor marked as read with all others. */
export async function countNotices({ db }: Pick<Context, 'db'>, customer: Customer): Promise<Answer<'countNotices'>> {
  const [row] = await unseen(db).execute({ user: customer.userId })
  return { unseen: row?.unseen ?? 0 }
}

const unseen = builtOnce((db) => {
  const user = sql.placeholder('user')
  const some = db
    .select({ id: notices.id })
    .from(notices)
    .where(and(mine(user), isNew(db, user)))
    .limit(MOST_COUNTED)
    .as('some')
  return db.select({ unseen: count() }).from(some).prepare('notices_unseen')
})

/** The newest notices, or those before the id `before`; with `unseen` only new ones, with `area` only those of the area. */
export async function listNotices(
  { db }: Pick<Context, 'db'>,
  customer: Customer,
  {
    limit,
    before,
    unseen: isUnseen,
    area
  }: { limit: number; before?: string | undefined; unseen: boolean; area?: NoticeArea | undefined }
): Promise<Answer<'listNotices'>> {
  const [user] = await db
    .select({ seen: users.seenNotice, locale: users.locale })
    .from(users)
    .where(eq(users.id, customer.userId))
  const older = before ? lt(notices.id, BigInt(before)) : undefined
  const rows = await db
    .select()
    .from(notices)
    .where(
      and(
        mine(customer.userId),
        older,
        isUnseen ? isNew(db, customer.userId) : undefined,
        area && inArray(notices.name, namesIn(area))
      )
    )
    .orderBy(desc(notices.id))
    .limit(limit + 1)
  const shown = rows.slice(0, limit)
  return {
    notices: shown.flatMap(({ id, name, params, createdAt, openedAt }) => {
      const made = noticeOf(name, params)
      if (!made) return []
      const { title, blocks } = writeMail(user?.locale ?? 'en', name, params as never)
      const about = blocks.find((block) => typeof block === 'string') ?? null
      const isSeen = openedAt !== null || id <= (user?.seen ?? 0n)
      return { ...made, id: id.toString(), at: createdAt.toISOString(), title, about, isSeen }
    }),
    next: rows.length > limit ? (shown.at(-1)?.id.toString() ?? null) : null
  }
}

/** Marks the notices up to the id `upTo` as seen, or the one with the id `only`; an older or a foreign id changes nothing. */
export async function seeNotices(
  context: Pick<Context, 'db' | 'clock'>,
  customer: Customer,
  { upTo, only }: { upTo?: string | undefined; only?: string | undefined }
): Promise<Answer<'seeNotices'>> {
  if (only !== undefined)
    await context.db
      .update(notices)
      .set({ openedAt: context.clock() })
      .where(and(mine(customer.userId), eq(notices.id, BigInt(only)), isNull(notices.openedAt)))
  if (upTo !== undefined) await seeUpTo(context, customer, BigInt(upTo))
  return countNotices(context, customer)
}

async function seeUpTo(context: Pick<Context, 'db'>, customer: Customer, upTo: bigint): Promise<void> {
  const [newest] = await context.db
    .select({ id: max(notices.id) })
    .from(notices)
    .where(mine(customer.userId))
  // At most the newest id: a made-up number must not hide later notices.
  if (newest?.id != null) await keepSeenNotice(context, customer, upTo < newest.id ? upTo : newest.id)
}
