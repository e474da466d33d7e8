/** What a customer was told by mail and by notice, for staff; and sending such a mail again. */
import { eq, sql } from 'drizzle-orm'
import type { MailName } from '#lib/messages/index.ts'
import { writeMail } from '#lib/messages/index.ts'
import { users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import { type JobKind, MAIL } from '../platform/jobs/kinds.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { mayRepeat, noticeOf } from './groups.ts'
import { notices } from './schema.ts'

export type Told = {
  id: string
  at: Date
  name: MailName
  /** The subject; the text may name people. */
  title: string
  openedAt: Date | null
  jobId: bigint
  mayRepeat: boolean
}
type Row = {
  id: string
  name: MailName
  params: object
  job_id: string
  created_at: string | Date
  opened_at: string | Date | null
}

/** The newest of a time. `from`, `before`: ISO; both may be missing. */
export async function noticesTold(
  db: Executor,
  userId: string,
  { from, before, limit }: { from?: string | undefined; before?: string | undefined; limit: number }
): Promise<Told[]> {
  const rows = rowsOf<Row>(
    await db.execute(sql`
      select id::text, name, params, job_id::text, created_at, opened_at from notices_told
      where user_id = ${userId}::uuid
        and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null}::timestamptz)
        and (${before ?? null}::timestamptz is null or created_at < ${before ?? null}::timestamptz)
      order by created_at desc, id desc limit ${limit}`)
  )
  return rows.map(({ id, name, params, job_id, created_at, opened_at }) => ({
    id,
    at: new Date(created_at),
    name,
    title: writeMail('en', name, params as never).title,
    openedAt: opened_at === null ? null : new Date(opened_at),
    jobId: BigInt(job_id),
    mayRepeat: mayRepeat(name)
  }))
}

const AGAIN_JOB = 'mail_again'

/** Asks the worker to send the mail of this notice again. Undefined if it is not this customer's, or must not be repeated. */
export async function askAgain({ tx, enqueue }: Work, userId: string, noticeId: bigint): Promise<MailName | undefined> {
  const [found] = rowsOf<{ name: MailName }>(
    await tx.execute(sql`select name from notices_told where user_id = ${userId}::uuid and id = ${noticeId}`)
  )
  if (!found || !mayRepeat(found.name)) return undefined
  await enqueue({ kind: AGAIN_JOB, payload: { notice: String(noticeId) }, key: `${AGAIN_JOB}:${noticeId}` })
  return found.name
}

/**
 * To the address that the customer has now. It makes no second notice, and comes although they have switched such mails off: they asked for it.
 * Links without a secret are put back; mails with others are never repeated.
 */
export function againJob(context: Context): JobKind {
  return {
    name: AGAIN_JOB,
    role: 'worker',
    run: async (payload) => {
      const { notice } = payload as { notice: string }
      await transact(context, async ({ tx, enqueue }) => {
        const [found] = await tx
          .select({ name: notices.name, params: notices.params, email: users.email, locale: users.locale })
          .from(notices)
          .innerJoin(users, eq(users.id, notices.userId))
          .where(eq(notices.id, BigInt(notice)))
        const made = found && noticeOf(found.name, found.params)
        if (!found || !made || !mayRepeat(found.name)) return
        const { name, params, email, locale } = found
        const mail = mailTo({ email, locale }, name, { ...params, link: `${context.origin}${made.href}` } as never)
        // Somebody waits for it: it goes before those that many get at once.
        await enqueue({ ...mail, kind: MAIL })
      })
    }
  }
}
