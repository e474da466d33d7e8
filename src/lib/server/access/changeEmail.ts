/** Another address for an account: the owners of both agree, each by a code. */
import { eq } from 'drizzle-orm'
import { fieldMessages } from '#lib/messages/errors.ts'
import { mails } from '#lib/messages/mails.ts'
import type { Context, Customer } from '../platform/context.ts'
import { users } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import { enqueueMail } from '../platform/jobs/enqueue.ts'
import { transact } from '../platform/transaction.ts'
import { issueCode } from './codes/issue.ts'
import { confirmTogether } from './codes/use.ts'
import { findUserByEmail } from './find.ts'
import { lockConfirmed, requireConfirmation } from './security/freshProof.ts'
import { disavowLink, leaving } from './sessions/disavow.ts'

/**
 * Sends a code to the address of now and one to the new one; where the new one has an account, its owner is told that
 * instead, and the answer is the same. Throws `confirmation_required`, `invalid_fields`, `too_soon`.
 */
export async function requestEmailChange(context: Context, customer: Customer, email: string): Promise<void> {
  requireConfirmation(context, customer)
  if (email === customer.email) throw new AppError('invalid_fields', { fields: { email: fieldMessages.email_same } })
  await transact(context, async (tx) => {
    const current = await issueCode(context, tx, { purpose: 'leave_email', email: customer.email, boundTo: email })
    const next = await issueCode(context, tx, { purpose: 'take_email', email, boundTo: customer.userId })
    await enqueueMail(context, tx, customer.email, mails.leaveEmailCode(current, email))
    const isTaken = (await findUserByEmail(tx, email)) !== undefined
    await enqueueMail(context, tx, email, isTaken ? mails.alreadyRegistered() : mails.takeEmailCode(next))
  })
}

/** Throws `confirmation_required`, and `invalid_fields` with a sentence for each code that is wrong; a right one stays alive then. */
export async function confirmEmailChange(
  context: Context,
  customer: Customer,
  { email, currentCode, newCode }: { email: string; currentCode: string; newCode: string }
): Promise<void> {
  requireConfirmation(context, customer)
  const right = await transact(context, async (tx) => {
    const outcome = await confirmTogether(context, tx, [
      { purpose: 'leave_email', email: customer.email, code: currentCode, boundTo: email },
      { purpose: 'take_email', email, code: newCode, boundTo: customer.userId }
    ])
    if (!outcome.every(Boolean)) return outcome
    // Taken since the codes were sent: nobody else may be told so.
    if (await findUserByEmail(tx, email)) return [true, false]
    const now = context.clock()
    const user = await lockConfirmed(context, tx, customer)
    await tx
      .update(users)
      .set({ email, ...leaving(user, now), updatedAt: now })
      .where(eq(users.id, customer.userId))
    await enqueueMail(
      context,
      tx,
      customer.email,
      mails.emailChanged(email, await disavowLink(context, customer.userId, customer.email))
    )
    return outcome
  })
  const [isCurrentRight, isNewRight] = right
  if (isCurrentRight && isNewRight) return
  throw new AppError('invalid_fields', {
    fields: {
      ...(!isCurrentRight && { currentCode: fieldMessages.code_wrong }),
      ...(!isNewRight && { newCode: fieldMessages.code_wrong })
    }
  })
}
