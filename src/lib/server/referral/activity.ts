import { sql } from 'drizzle-orm'
import { arrivalsOf } from '../ledger/index.ts'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Rewards for the purchases of invitees. A purchase is somebody else's, so only its amount in dollars is shown. */
export const referralActivity: ActivitySource = {
  kinds: ['reward'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'posting:' || p.id`,
      at: sql`t.created_at`,
      kind: 'reward',
      name: 'referral',
      currency: sql`p.currency`,
      amount: sql`p.amount`,
      direction: 'in',
      about: sql`jsonb_build_object('ofCents', (select o.fiat_cents::text from orders_facts o where o.id = t.source_id))`,
      found: sql`'rewardinvitee'`
    })} ${arrivalsOf(userId, 'rewards')}`
}
