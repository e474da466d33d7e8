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
  },
  {
    says: "a stake's payouts are not its reward and what was staked",
    query: sql`
      select s.order_id as what
      from stakes s
      left join payouts p on p.order_id = s.order_id
      group by s.order_id, s.units, s.rate_hundredths, s.months
      having coalesce(sum(p.units) filter (where p.kind = 'reward'), 0) <> div(s.units * s.rate_hundredths * s.months, 120000)
        or coalesce(sum(p.units) filter (where p.kind = 'principal'), 0) <> s.units limit 20`
  },
  {
    says: 'a payout is marked as paid and was not booked so, or the other way round',
    query: sql`
      select coalesce('payout:' || p.order_id || ':' || p.kind || ':' || p.number, b.reference) as what
      from (select * from payouts where paid_at is not null) p
      full join (
        select t.reference, g.amount, g.currency, d.owner_id, d.kind as destination, s.kind as source
        from ledger_transactions t
        join postings g on g.transaction_id = t.id
        join accounts d on d.id = g.destination_id
        join accounts s on s.id = g.source_id
        where t.reason in ('staking_rewarded', 'staking_returned', 'bonus_released')
      ) b on b.reference = 'payout:' || p.order_id || ':' || p.kind || ':' || p.number
      where p.order_id is null or b.reference is null or b.amount <> p.units or b.currency <> p.currency or b.owner_id <> p.user_id
        or b.source || '>' || b.destination <> case p.kind
          when 'reward' then 'staking_rewards>reward' when 'principal' then 'staked>spot' else 'locked>spot' end limit 20`
  },
  {
    says: 'what orders staked and payouts returned is not what is still to be returned',
    query: sql`
      select coalesce(b.owner_id, p.user_id) || ' ' || coalesce(b.currency, p.currency) as what
      from (
        select a.owner_id, g.currency, sum(case when g.destination_id = a.id then g.amount else -g.amount end) as units
        from accounts a
        join postings g on a.id in (g.destination_id, g.source_id)
        join ledger_transactions t on t.id = g.transaction_id and t.reason in ('order_completed', 'staking_returned')
        where a.kind = 'staked'
        group by 1, 2
      ) b
      full join (select user_id, currency, sum(units) as units from payouts where kind = 'principal' and paid_at is null group by 1, 2) p
        on p.user_id = b.owner_id and p.currency = b.currency
      where coalesce(b.units, 0) <> coalesce(p.units, 0) limit 20`
  }
]
