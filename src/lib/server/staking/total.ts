import { and, count, eq, gt, sum } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { notPromotion, orders, usd } from '../orders/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'

/** The cost of the customer's staked packages: completed orders with staking, without the promotion (spec section 4). */
export async function readStakingTotal(context: Context, customer: Customer): Promise<Answer<'getStakingTotal'>> {
  const [row] = await context.db
    .select({ cents: sum(orders.fiatCents), orders: count() })
    .from(orders)
    .where(
      and(
        eq(orders.userId, customer.userId),
        eq(orders.status, ORDER_STATUS.completed),
        gt(orders.stakingMonths, 0),
        notPromotion
      )
    )
  return { totalUsd: usd(BigInt(row?.cents ?? 0)), orders: row?.orders ?? 0 }
}
