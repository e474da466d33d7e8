import { sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Withdrawals in every state: on their way, paid, given back. */
export const withdrawalActivity: ActivitySource = {
  kinds: ['withdrawal'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'withdrawal:' || w.id`,
      at: sql`w.requested_at`,
      kind: 'withdrawal',
      name: 'withdrawal',
      currency: sql`w.currency`,
      amount: sql`w.amount`,
      direction: sql`case when w.state in ('cancelled', 'rejected', 'given_back') then 'none' else 'out' end`,
      usdCents: sql`w.usd_cents`,
      about: sql`jsonb_build_object('state', w.state)`,
      found: sql`'withdrawal' || lower(w.receiver) || lower(coalesce(w.transaction_id, ''))`
    })}
    from withdrawals w
    where w.user_id = ${userId}`
}
