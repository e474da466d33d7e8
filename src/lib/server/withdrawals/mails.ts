/** Mails and notices about a withdrawal. */
import { eq } from 'drizzle-orm'
import { formatExactUnits } from '#lib/format/amount.ts'
import { type User, users } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import { confirmLink } from './link.ts'
import type { WithdrawalRow } from './schema.ts'

const text = (row: WithdrawalRow, amount: bigint) => `${formatExactUnits(amount, row.currency)} ${row.currency}`
const historyLink = ({ origin }: Context) => `${origin}/package-history?tab=withdrawal`

export async function tellRequested(context: Context, work: Work, user: User, row: WithdrawalRow): Promise<void> {
  const facts = { amount: text(row, row.amount), received: text(row, row.amount - row.fee), address: row.receiver }
  if (row.state === 'unconfirmed')
    return work.enqueue(mailTo(user, 'withdrawalConfirm', { ...facts, link: await confirmLink(context, row.id) }))
  await work.enqueue(
    mailTo(user, 'withdrawalRequested', { ...facts, isReviewed: row.state === 'review', link: historyLink(context) })
  )
}

/** `why`: an operator's reason for a rejection, or `undone` for a payment that was reverted in its block. */
export async function tellEnded(context: Context, work: Work, row: WithdrawalRow, why: string): Promise<void> {
  const [user] = await work.tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(eq(users.id, row.userId))
  if (!user) return
  const facts = { amount: text(row, row.amount), received: text(row, row.amount - row.fee), address: row.receiver }
  const link = historyLink(context)
  if (row.state === 'confirmed') return work.enqueue(mailTo(user, 'withdrawalSent', { ...facts, link }))
  const reason = row.state === 'rejected' ? why : row.state === 'given_back' ? why || 'failed' : 'cancelled'
  await work.enqueue(mailTo(user, 'withdrawalReturned', { ...facts, kind: row.state, why: reason, link }))
}
