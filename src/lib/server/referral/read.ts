/** A customer's rewards for invitations, and the people who accepted them. */
import { count, desc, eq } from 'drizzle-orm'
import type { Answer, ReferralReward } from '#lib/contract/types.ts'
import { users } from '../access/index.ts'
import { countArrivals, listArrivals } from '../ledger/index.ts'
import { orders, usd } from '../orders/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { anyOf } from '../platform/db/columns.ts'
import { movableFrom } from './reward.ts'
import { referralRewards } from './schema.ts'
import type { ReferralConfig } from './settings.ts'

const REWARD_TOKEN = 'CPC'

const rewardsOf = ({ userId }: Customer) =>
  ({ owner: userId, account: 'reward', from: 'rewards', currency: REWARD_TOKEN }) as const

type Page = { page: number; size: number }

/** The rewards as they were booked, newest first, each with the order that earned it. */
export async function listReferralRewards(
  context: Context,
  config: ReferralConfig,
  customer: Customer,
  { page, size }: Page
): Promise<ReferralReward[]> {
  const lines = await listArrivals(context.db, rewardsOf(customer), { limit: size, offset: (page - 1) * size })
  const ids = lines.map(({ sourceId }) => sourceId)
  const found = ids.length > 0 ? await context.db.select().from(orders).where(anyOf(orders.id, ids)) : []
  const byId = new Map(found.map((order) => [order.id, order]))
  const rows = ids.length > 0 ? await context.db.select().from(referralRewards).where(anyOf(referralRewards.orderId, ids)) : []
  const keptOf = new Map(rows.map((row) => [row.orderId, row]))
  const now = context.clock()
  return lines.flatMap(({ sourceId, amount, at }) => {
    const order = byId.get(sourceId)
    if (!order) return []
    const kept = keptOf.get(sourceId)
    const from = kept && movableFrom(kept.bookedAt, config)
    return {
      order_id: order.id,
      token: REWARD_TOKEN,
      reward_amount: amount.toString(),
      order_amount: usd(order.fiatCents),
      order_status: order.status,
      createdAt: at.toISOString(),
      movableFrom: from && from > now && !kept.takenBackAt ? from.toISOString() : null,
      takenBackAt: kept?.takenBackAt?.toISOString() ?? null
    }
  })
}

/** The people who signed up with the customer's code, newest first. */
export async function listInvitees(context: Context, customer: Customer, { page, size }: Page): Promise<Answer<'listInvitees'>> {
  const mine = eq(users.referredBy, customer.userId)
  const [data, [counted]] = await Promise.all([
    context.db
      .select({ id: users.id, email: users.email })
      .from(users)
      .where(mine)
      .orderBy(desc(users.createdAt), desc(users.id))
      .limit(size)
      .offset((page - 1) * size),
    context.db.select({ total: count() }).from(users).where(mine)
  ])
  return { data, total: counted?.total ?? 0 }
}

/** How many rewards were booked and how many people signed up with the customer's code. */
export async function readReferralSummary(context: Context, customer: Customer): Promise<Answer<'getReferralSummary'>> {
  const [rewards, [counted]] = await Promise.all([
    countArrivals(context.db, rewardsOf(customer)),
    context.db.select({ total: count() }).from(users).where(eq(users.referredBy, customer.userId))
  ])
  return { rewards, invitees: counted?.total ?? 0 }
}
