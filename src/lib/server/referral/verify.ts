/** Compares rewards with their orders: each goes to the inviter of the order's customer. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const referralChecks: LedgerCheck[] = [
  {
    says: 'the reward of the order went to somebody who did not invite its customer',
    query: sql`
      select o.id as what
      from orders o
      join users u on u.id = o.user_id
      join ledger_transactions t on t.source_id = o.id and t.reason = 'order_completed'
      join postings p on p.transaction_id = t.id
      join accounts d on d.id = p.destination_id and d.kind = 'reward'
      where d.owner_id is distinct from u.referred_by limit 20`
  }
]
