import { eq } from 'drizzle-orm'
import { referralReward } from '#lib/domain/referral/reward.ts'
import { formatExactUnits, formatUsd } from '#lib/format/amount.ts'
import { users } from '../access/index.ts'
import { customerAccount, house } from '../ledger/index.ts'
import { type OnOrderCompleted, usd } from '../orders/index.ts'
import { mailTo } from '../platform/mail/job.ts'

const REWARD_TOKEN = 'CPC'

/** The inviter's reward, booked in the same transaction as the completed order. */
export const rewardInviter: OnOrderCompleted = async ({ origin }, { tx, enqueue }, order) => {
  const [customer] = await tx.select({ referredBy: users.referredBy }).from(users).where(eq(users.id, order.userId))
  const [inviter] = customer?.referredBy ? await tx.select().from(users).where(eq(users.id, customer.referredBy)) : []
  const amount = inviter ? referralReward(order.fiatCents, order.cpcPriceUsd) : 0n
  if (!inviter || amount === 0n) return []
  const tokens = `${formatExactUnits(amount, REWARD_TOKEN)} ${REWARD_TOKEN}`
  await enqueue(mailTo(inviter, 'rewardBooked', { tokens, of: formatUsd(usd(order.fiatCents)), link: `${origin}/referral` }))
  return [{ source: house('rewards'), destination: customerAccount(inviter.id, 'reward'), currency: REWARD_TOKEN, amount }]
}
