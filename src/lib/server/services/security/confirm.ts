/** What concerns the account's security asks once more who it is: within ten minutes of a sign-in it does not. */
import { CONFIRMED_SECONDS } from '../../../domain/account.ts'
import type { Context, Customer } from '../context.ts'
import { AppError } from '../errors.ts'

/**
 * Throws `account_locked` while somebody else may be signed in, and `confirmation_required` where the customer of this
 * session has not proved lately who they are.
 */
export function requireConfirmation({ clock }: Context, { confirmedAt, lockedAt }: Customer): void {
  if (lockedAt) throw new AppError('account_locked')
  if (!confirmedAt || clock().getTime() - confirmedAt.getTime() > CONFIRMED_SECONDS * 1000)
    throw new AppError('confirmation_required')
}
