import { eq } from 'drizzle-orm'
import { referralReward } from '#lib/domain/referral/reward.ts'
import { users } from '../access/index.ts'
import { customerAccount, house } from '../ledger/index.ts'
import type { OnOrderCompleted } from '../orders/index.ts'

/** The inviter's reward, in the completed order's own posting. */
export const rewardInviter: OnOrderCompleted = async ({ tx }, order) => {
  const [customer] = await tx.select({ referredBy: users.referredBy }).from(users).where(eq(users.id, order.userId))
  const inviter = customer?.referredBy
  const amount = inviter ? referralReward(order.fiatCents, order.cpcPriceUsd) : 0n
  if (!inviter || amount === 0n) return []
  return [{ source: house('rewards'), destination: customerAccount(inviter, 'reward'), currency: 'CPC', amount }]
}
