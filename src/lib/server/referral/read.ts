/** What a customer's invitations brought, and who followed them. */
import { count, desc, eq, inArray } from 'drizzle-orm'
import type { Answer, ReferralReward } from '#lib/contract/types.ts'
import { readStatement } from '../ledger/statement.ts'
import { usd } from '../orders/present.ts'
import type { Context, Customer } from '../platform/context.ts'
import { orders, users } from '../platform/db/schema.ts'

const REWARD_TOKEN = 'CPC'

type Page = { page: number; size: number }

/** The rewards as they were booked, newest first, each with the order that brought it. */
export async function listReferralRewards(context: Context, customer: Customer, { page, size }: Page): Promise<ReferralReward[]> {
  const query = { currency: REWARD_TOKEN, account: 'reward', kind: 'reward', limit: size, offset: (page - 1) * size } as const
  const { lines } = await readStatement(context, customer, query)
  const ids = lines.flatMap(({ orderId }) => orderId ?? [])
  const found = ids.length > 0 ? await context.db.select().from(orders).where(inArray(orders.id, ids)) : []
  const byId = new Map(found.map((order) => [order.id, order]))
  return lines.flatMap(({ orderId, amount, at }) => {
    const order = byId.get(orderId ?? '')
    if (!order) return []
    return {
      order_id: order.id,
      token: REWARD_TOKEN,
      reward_amount: amount,
      order_amount: usd(order.fiatCents),
      order_status: order.status,
      createdAt: at
    }
  })
}

/** Who signed up with the customer's code, newest first. */
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
