import type { Answer } from '#lib/contract/types.ts'
import type { ContextKind } from '#lib/domain/help/message.ts'
import type { Context } from '../platform/context.ts'
import { randomReadable } from '../platform/crypto.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'

const NUMBER_LENGTH = 8

export type SupportMessage = {
  /** Where the answer goes. */
  email: string
  /** The customer's id; undefined for a visitor, whose address is not verified. */
  userId: string | undefined
  message: string
  context: { kind: ContextKind; value: string }[]
}

/** Mails a message to support. Replies go to the sender; the mail says whether the sender was signed in. Returns the message's number. */
export async function writeToSupport(
  context: Context,
  supportEmail: string,
  { email, userId, message, context: lines }: SupportMessage
): Promise<Answer<'writeToSupport'>> {
  const number = randomReadable(NUMBER_LENGTH)
  await transact(context, (work) =>
    work.enqueue(
      mailTo({ email: supportEmail, locale: 'en' }, 'supportMessage', {
        number,
        email,
        userId: userId ?? null,
        message,
        context: lines
      })
    )
  )
  return { number }
}
