/** Compares stakes with their orders and with the accounts that hold them. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const stakeChecks: LedgerCheck[] = [
  {
    says: 'the stake is not what its completed order staked',
    query: sql`
      select coalesce(o.id, s.order_id) as what
      from (select * from orders where status = 2 and staking_months > 0) o
      full join stakes s on s.order_id = o.id
      where o.id is null or s.order_id is null or s.user_id <> o.user_id or s.months <> o.staking_months
        or s.rate_hundredths <> o.staking_rate_hundredths or s.units <> o.cpc_units + o.ptc_units
        or s.currency <> case when o.cpc_units > 0 then 'CPC' else 'PTC' end limit 20`
  },
  {
    says: "a customer's stakes are not what their account `staked` got from orders",
    query: sql`
      select coalesce(s.user_id, b.owner_id) || ' ' || coalesce(s.currency, b.currency) as what
      from (select user_id, currency, sum(units) as units from stakes group by 1, 2) s
      full join (
        select d.owner_id, p.currency, sum(p.amount) as units
        from postings p
        join accounts d on d.id = p.destination_id and d.kind = 'staked'
        join ledger_transactions t on t.id = p.transaction_id and t.reason = 'order_completed'
        group by 1, 2
      ) b on b.owner_id = s.user_id and b.currency = s.currency
      where s.units is distinct from b.units limit 20`
  }
]
