import type { Answer } from '#lib/contract/types.ts'
import type { ContextLine } from '#lib/domain/help/message.ts'
import type { Context } from '../platform/context.ts'
import { randomReadable } from '../platform/crypto.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { addToCase, openCase } from './cases.ts'

const NUMBER_LENGTH = 8

export type SupportMessage = {
  /** Where the answer goes. */
  email: string
  /** The customer's id; undefined for a visitor, whose address is not verified. */
  userId: string | undefined
  message: string
  context: ContextLine[]
  /** A case of the customer's own that the message belongs to. */
  number?: string | undefined
}

/**
 * Keeps a message as a case, and mails it to support. Replies to the mail go to the sender; it says whether they were signed in. Returns the
 * number of the case. Throws `invalid_fields` for the number of a case that is not the customer's.
 */
export async function writeToSupport(
  context: Context,
  supportEmail: string,
  { email, userId, message, context: lines, number: known }: SupportMessage
): Promise<Answer<'writeToSupport'>> {
  const number = known ?? randomReadable(NUMBER_LENGTH)
  await transact(context, async (work) => {
    if (known === undefined) await openCase(work, { number, userId, email, context: lines, message })
    else if (!userId || !(await addToCase(work, { number, userId, message })))
      throw new AppError('invalid_fields', { fields: { number: 'invalid' } })
    await work.enqueue(
      mailTo({ email: supportEmail, locale: 'en' }, 'supportMessage', {
        number,
        email,
        userId: userId ?? null,
        message,
        context: lines
      })
    )
  })
  return { number }
}
