import { sql } from 'drizzle-orm'
import { correctionsOf, movesOf } from '../ledger/index.ts'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Moves between the customer's own accounts, and corrections. */
export const walletActivity: ActivitySource = {
  kinds: ['transfer'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'posting:' || p.id`,
      at: sql`t.created_at`,
      kind: 'transfer',
      name: 'move',
      currency: sql`p.currency`,
      amount: sql`p.amount`,
      direction: 'moved',
      about: sql`jsonb_build_object('from', s.kind, 'to', d.kind)`,
      found: sql`'transfer' || s.kind || 'to' || d.kind`
    })} ${movesOf(userId, 'moved_between_accounts')}
    union all
    select ${activityColumns({
      id: sql`'posting:' || p.id || case when p.is_in then '' else '-' end`,
      at: sql`t.created_at`,
      kind: 'transfer',
      name: 'adjustment',
      currency: sql`p.currency`,
      amount: sql`p.amount`,
      direction: sql`case when p.is_in then 'in' else 'out' end`,
      about: sql`'{}'`,
      found: sql`'adjustment'`
    })} ${correctionsOf(userId)}`
}
