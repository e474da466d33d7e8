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
  },
  {
    says: "the reward of the order is not 5 % of its value at the order's price",
    query: sql`
      select o.id || ': ' || w.owed || ' against ' || coalesce(b.booked, 0) as what
      from orders o
      join users u on u.id = o.user_id
      join ledger_transactions t on t.source_id = o.id and t.reason = 'order_completed'
      cross join lateral (
        select case when u.referred_by is null then 0
          else div(div(o.fiat_cents::numeric * 5, 100) * 1000000, o.cpc_price_usd::numeric) end as owed
      ) w
      left join lateral (
        select sum(p.amount) as booked from postings p join accounts d on d.id = p.destination_id
        where p.transaction_id = t.id and d.kind = 'reward' and p.currency = 'CPC'
      ) b on true
      where coalesce(b.booked, 0) <> w.owed limit 20`
  }
]
