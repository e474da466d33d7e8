/** Changes an account's email address. The owners of both addresses confirm, each with a code. */
import { eq } from 'drizzle-orm'
import { restUntil } from '#lib/domain/access/withdrawalGate.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact } from '../platform/transaction.ts'
import { customerAsker, issueCode } from './codes/issue.ts'
import { spendTogether } from './codes/spend.ts'
import { findUserByEmail } from './find.ts'
import { users } from './schema.ts'
import { lockProved } from './security/freshProof.ts'
import { disavowLink, leaving } from './sessions/disavow.ts'

/**
 * Sends a code to the present address and one to the new one. If the new address already has an account, its owner gets a mail that
 * says so instead of a code; the response is the same. Throws `invalid_fields`, `too_soon`.
 */
export async function requestEmailChange(context: Context, customer: Customer, email: string): Promise<void> {
  if (email === customer.email) throw new AppError('invalid_fields', { fields: { email: 'email_same' } })
  await transact(context, async (work) => {
    const user = await lockProved(context, work, customer)
    const asker = customerAsker(customer.userId)
    const current = await issueCode(context, work, { purpose: 'leave_email', email: customer.email, boundTo: email, asker })
    const next = await issueCode(context, work, { purpose: 'take_email', email, boundTo: customer.userId, asker })
    await work.enqueue(mailTo(user, 'leaveEmailCode', { code: current, email }))
    const owner = await findUserByEmail(work.tx, email)
    const newcomer = { email, locale: user.locale }
    await work.enqueue(owner ? mailTo(owner, 'alreadyRegistered', {}) : mailTo(newcomer, 'takeEmailCode', { code: next }))
  })
}

/** Throws `invalid_fields` for each wrong code; a right one stays valid. */
export async function changeEmail(
  context: Context,
  customer: Customer,
  { email, currentCode, newCode }: { email: string; currentCode: string; newCode: string }
): Promise<void> {
  const [isCurrentRight, isNewRight] = await transact(context, async (work) => {
    const { tx, now } = work
    const user = await lockProved(context, work, customer)
    const asker = customerAsker(customer.userId)
    const outcome = await spendTogether(context, work, [
      { purpose: 'leave_email', email: customer.email, code: currentCode, boundTo: email, asker },
      { purpose: 'take_email', email, code: newCode, boundTo: customer.userId, asker }
    ])
    if (!outcome.every(Boolean)) return outcome
    // Somebody has taken the address since the codes were sent. Respond as to a wrong code, to hide who has an account.
    if (await findUserByEmail(tx, email)) return [true, false]
    await tx
      .update(users)
      .set({ email, ...leaving(user, now), withdrawalsRestUntil: restUntil(now), updatedAt: now })
      .where(eq(users.id, customer.userId))
    await work.enqueue(mailTo(user, 'emailChanged', { email, link: await disavowLink(context, user.id, user.email) }))
    return outcome
  })
  if (isCurrentRight && isNewRight) return
  throw new AppError('invalid_fields', {
    fields: { ...(!isCurrentRight && { currentCode: 'code_wrong' }), ...(!isNewRight && { newCode: 'code_wrong' }) }
  })
}
