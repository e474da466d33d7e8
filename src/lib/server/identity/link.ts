import type { Answer } from '#lib/contract/types.ts'
import type { Context, Customer } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { isVerifiedCustomer } from './read.ts'

/** A link of the provider under which the customer is checked, for `ttlInSecs`. Throws `kyc_completed`. */
export async function createKycLink(context: Context, customer: Customer, ttlInSecs: number): Promise<Answer<'getKycLink'>> {
  if (await isVerifiedCustomer(context.db, customer.userId)) throw new AppError('kyc_completed')
  const expiresAt = new Date(context.clock().getTime() + ttlInSecs * 1000).toISOString()
  return { url: await context.ports.identity.createLink(customer, ttlInSecs), expiresAt }
}
