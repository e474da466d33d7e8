import type { MailText } from '#lib/messages/mailLayout.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/client.ts'
import { outbox } from '../db/schema.ts'
import { noteMail } from '../transaction.ts'

/** Writes a mail down in the transaction that causes it; it leaves after the commit. */
export async function enqueueMail(context: Context, tx: Transaction, to: string, mail: MailText): Promise<void> {
  const now = context.clock()
  noteMail(tx)
  await tx.insert(outbox).values({ mail: { to, ...mail }, dueAt: now, createdAt: now })
}
