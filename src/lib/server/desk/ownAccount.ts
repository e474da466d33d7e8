/** Nobody of staff decides about an account of their own. */
import { userEmailOf } from '../access/index.ts'
import type { Context } from '../platform/context.ts'
import { DeskError, type Staff } from '../staff/index.ts'

/** Returns the customer's e-mail. Throws `not_found`, `own_account`. */
export async function requireOthers(context: Context, staff: Staff, userId: string): Promise<string> {
  const email = await userEmailOf(context.db, userId)
  if (!email) throw new DeskError('not_found')
  if (email.toLowerCase() === staff.email) throw new DeskError('own_account')
  return email
}
