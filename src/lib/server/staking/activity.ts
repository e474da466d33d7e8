import { sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'
import { payouts } from './schema.ts'

/** What staking paid: rewards came in; staked tokens and released bonuses were the customer's already, and only moved to spot. */
export const stakingActivity: ActivitySource = {
  kinds: ['reward', 'transfer'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'payout:' || x.order_id || ':' || x.kind || ':' || x.number`,
      at: sql`x.paid_at`,
      kind: sql`case when x.kind = 'reward' then 'reward' else 'transfer' end`,
      name: sql`case x.kind when 'reward' then 'staking_reward' when 'principal' then 'staking_returned' else 'bonus_released' end`,
      currency: sql`x.currency`,
      amount: sql`x.units`,
      direction: sql`case when x.kind = 'reward' then 'in' else 'moved' end`,
      orderId: sql`x.order_id`,
      about: sql`jsonb_build_object('configId', o.config_id, 'number', x.number)`,
      found: sql`'staking' || x.kind || lower(x.order_id)`
    })}
    from ${payouts} x join orders o on o.id = x.order_id
    where x.user_id = ${userId} and x.paid_at is not null`
}
