import { type SQL, sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'
import { payouts } from './schema.ts'

function linesOf(userId: string, line: { kind: string; name: SQL; direction: string }, which: SQL): SQL {
  return sql`
    select ${activityColumns({
      ...line,
      id: sql`'payout:' || x.order_id || ':' || x.kind || ':' || x.number`,
      at: sql`x.paid_at`,
      currency: sql`x.currency`,
      amount: sql`x.units`,
      orderId: sql`x.order_id`,
      about: sql`jsonb_build_object('configId', o.config_id, 'number', x.number)`,
      found: sql`'staking' || x.kind || lower(x.order_id)`
    })}
    from ${payouts} x join orders_facts o on o.id = x.order_id
    where x.user_id = ${userId} and x.paid_at is not null and ${which}`
}

/** Rewards of staking. */
export const stakingActivity: ActivitySource = {
  kinds: ['reward'],
  linesOf: (userId) =>
    linesOf(userId, { kind: 'reward', name: sql`'staking_reward'::text`, direction: 'in' }, sql`x.kind = 'reward'`)
}

/** Returned staked tokens and released bonuses: they were the customer's already, and only moved to spot. */
export const returnActivity: ActivitySource = {
  kinds: ['transfer'],
  linesOf: (userId) =>
    linesOf(
      userId,
      {
        kind: 'transfer',
        name: sql`case x.kind when 'principal' then 'staking_returned' else 'bonus_released' end`,
        direction: 'moved'
      },
      sql`x.kind <> 'reward'`
    )
}
