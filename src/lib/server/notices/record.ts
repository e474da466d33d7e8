/** An event with a mail can also make a notice, once; the customer's settings decide whether the mail is sent too. */
import { eq } from 'drizzle-orm'
import { MUTABLE_GROUPS, type MutableGroup } from '#lib/domain/access/settings.ts'
import { users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import type { MailEvent } from '../platform/mail/job.ts'
import { type NoticeGroup, noticeOf } from './groups.ts'
import { notices } from './schema.ts'

const isMutable = (group: NoticeGroup | MutableGroup): group is MutableGroup => MUTABLE_GROUPS.some((one) => one === group)

/** Returns true if the mail is to be sent. */
export async function recordNotice(
  { db }: Pick<Context, 'db'>,
  { jobId, userId, name, params, at }: MailEvent
): Promise<boolean> {
  const made = noticeOf(name, params)
  if (made) await keepNotice({ db }, { jobId, userId, name, params, at })
  // The weekly mail makes no notice. It may have waited for hours, and been switched off meanwhile.
  const group = made?.group ?? (name === 'weekly' ? name : undefined)
  if (!group || !isMutable(group)) return true
  const [customer] = await db.select({ muted: users.mutedMails }).from(users).where(eq(users.id, userId))
  return !customer?.muted.includes(group)
}

async function keepNotice({ db }: Pick<Context, 'db'>, { jobId, userId, name, params, at }: MailEvent): Promise<void> {
  // These links sign out or confirm, so they are not stored: they must not outlive the mail.
  const { link: _, notMe: __, ...kept } = params as { link?: string; notMe?: string }
  await db.insert(notices).values({ jobId, userId, name, params: kept, createdAt: at }).onConflictDoNothing()
}
