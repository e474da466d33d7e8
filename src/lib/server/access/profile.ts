import { eq } from 'drizzle-orm'
import type { Profile } from '#lib/contract/types.ts'
import { withdrawalGate } from '#lib/domain/access/withdrawalGate.ts'
import { isVerified } from '#lib/domain/identity/check.ts'
import { readKycData } from '../identity/read.ts'
import type { Context, Customer } from '../platform/context.ts'
import { users } from '../platform/db/schema.ts'
import { AppError } from '../platform/errors.ts'
import type { User } from './find.ts'

export function presentWithdrawals(user: User, verified: boolean, now: Date): Profile['withdrawals'] {
  const { withdrawalsRestUntil: restUntil, withdrawalsLockedAt: lockedAt } = user
  const { until, ...gate } = withdrawalGate({ isVerified: verified, restUntil, lockedAt }, now)
  return { ...gate, until: until?.toISOString() ?? null }
}

export async function readProfile(context: Context, customer: Customer): Promise<Profile> {
  const [[user], kycData] = await Promise.all([
    context.db.select().from(users).where(eq(users.id, customer.userId)),
    readKycData(context, customer)
  ])
  if (!user) throw new AppError('unauthorized')
  const [inviter] = user.referredBy ? await context.db.select().from(users).where(eq(users.id, user.referredBy)) : []
  return {
    userId: user.id,
    email: user.email,
    name: user.name,
    phone: user.phone,
    address: null,
    referralCode: user.referralCode,
    targetReferralCode: inviter?.referralCode ?? null,
    fbUid: null,
    createdAt: user.createdAt.toISOString(),
    kycData,
    withdrawals: presentWithdrawals(user, isVerified(kycData), context.clock())
  }
}

/** Changes name and phone; an empty name is no name. */
export async function updateProfile(
  context: Context,
  customer: Customer,
  { name, phone }: { name?: string | undefined; phone?: string | undefined }
): Promise<void> {
  await context.db
    .update(users)
    .set({
      ...(name !== undefined && { name: name || null }),
      ...(phone !== undefined && { phone }),
      updatedAt: context.clock()
    })
    .where(eq(users.id, customer.userId))
}
