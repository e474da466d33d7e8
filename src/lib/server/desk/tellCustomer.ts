/** Mails to a customer about what staff did. */
import { eq } from 'drizzle-orm'
import type { MailParams } from '#lib/messages/index.ts'
import { users } from '../access/index.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'

type ToldName = 'accountHeld' | 'holdReleased' | 'identityAgain' | 'limitRaised' | 'limitRefused'

/** The mail goes out with the transaction. */
export async function tell<Name extends ToldName>(
  work: Work,
  userId: string,
  name: Name,
  params: MailParams<Name>
): Promise<void> {
  const [user] = await work.tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(eq(users.id, userId))
  if (user) await work.enqueue(mailTo(user, name, params as never))
}
