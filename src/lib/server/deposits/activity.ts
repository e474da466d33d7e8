import { sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Coins that arrived, credited or not. A deposit whose block was removed is left out; its bookings remain in the statement. */
export const depositActivity: ActivitySource = {
  kinds: ['deposit'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'deposit:' || d.id`,
      at: sql`d.seen_at`,
      kind: 'deposit',
      name: 'deposit',
      currency: sql`d.currency`,
      amount: sql`d.amount`,
      direction: sql`case when d.status = 'CREDITED' then 'in' else 'none' end`,
      about: sql`jsonb_build_object('status', d.status, 'note', d.note)`,
      found: sql`'deposit' || lower(d.transaction_id)`
    })}
    from deposits d
    where d.user_id = ${userId} and d.reverted_at is null`
}
