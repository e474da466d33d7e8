import { eq } from 'drizzle-orm'
import type { Profile } from '../../../contract/types.ts'
import { users } from '../../db/schema.ts'
import type { Context, Customer } from '../context.ts'
import { AppError } from '../errors.ts'

export async function readProfile(context: Context, customer: Customer): Promise<Profile> {
  const [user] = await context.db.select().from(users).where(eq(users.id, customer.userId))
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
    kycData: null
  }
}
