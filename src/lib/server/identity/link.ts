import type { Answer } from '#lib/contract/types.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import type { IdentityProvider } from './port.ts'
import { isVerifiedCustomer } from './read.ts'

/** Returns the provider's link to the customer's check, valid for `ttlSeconds`. Throws `kyc_completed`. */
export async function createIdentityLink(
  context: Context,
  provider: IdentityProvider,
  customer: Customer,
  ttlSeconds: number
): Promise<Answer<'getKycLink'>> {
  if (await isVerifiedCustomer(context.db, customer.userId)) throw new AppError('kyc_completed')
  const expiresAt = new Date(context.clock().getTime() + ttlSeconds * 1000).toISOString()
  return { url: await provider.createLink(customer, ttlSeconds), expiresAt }
}
