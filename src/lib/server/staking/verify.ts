/** Compares stakes with their orders and with the accounts that hold them. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const stakeChecks: LedgerCheck[] = [
  {
    says: 'the stake is not what its completed order staked',
    query: sql`
      select coalesce(o.id, s.order_id) as what
      from (select * from orders_facts where status = 2 and staking_months > 0) o
      full join stakes s on s.order_id = o.id
      where o.id is null or s.order_id is null or s.user_id <> o.user_id or s.months <> o.staking_months
        or s.rate_hundredths <> o.staking_rate_hundredths or s.units <> o.cpc_units + o.ptc_units
        or s.currency <> case when o.cpc_units > 0 then 'CPC' else 'PTC' end limit 20`
  },
  {
    says: "a customer's stakes are not what their account `staked` got from orders_facts",
    query: sql`
      select coalesce(s.user_id, b.owner_id) || ' ' || coalesce(s.currency, b.currency) as what
      from (select user_id, currency, sum(units) as units from stakes group by 1, 2) s
      full join (
        select to_owner as owner_id, currency, sum(amount) as units
        from ledger_lines where to_kind = 'staked' and reason = 'order_completed'
        group by 1, 2
      ) b on b.owner_id = s.user_id and b.currency = s.currency
      where s.units is distinct from b.units limit 20`
  },
  {
    says: "a stake's payouts are not those of its terms",
    query: sql`
      select coalesce(p.order_id || ' ' || p.kind || ' ' || p.number, k.order_id || ' ' || k.kind || ' ' || k.number) as what
      from (
        select s.order_id, 'reward' as kind, n as number, s.user_id, s.currency,
          case when n < s.months / 3 then div(r.total, s.months / 3) else r.total - div(r.total, s.months / 3) * (s.months / 3 - 1) end as units,
          ((s.starts_at at time zone 'UTC') + n * interval '3 months') at time zone 'UTC' as due_at
        from stakes s
        cross join lateral (select div(s.units * s.rate_hundredths * s.months, 120000) as total) r
        cross join lateral generate_series(1, s.months / 3) n
        union all
        select order_id, 'principal', 1, user_id, currency, units, ends_at from stakes
      ) p
      full join (select * from payouts where kind <> 'bonus') k on k.order_id = p.order_id and k.kind = p.kind and k.number = p.number
      where (p.order_id is null or k.order_id is null or k.user_id <> p.user_id or k.currency <> p.currency or k.units <> p.units or k.due_at <> p.due_at)
        and p.units is distinct from 0 limit 20`
  },
  {
    says: 'a bonus or its releases are not those of its completed order',
    query: sql`
      select coalesce(p.order_id || ' bonus ' || p.number, k.order_id || ' bonus ' || k.number) as what
      from (
        select o.id as order_id, n as number, o.user_id,
          case when n < 20 then div(o.bonus_units, 20) else o.bonus_units - 19 * div(o.bonus_units, 20) end as units,
          ((o.stake_starts_at at time zone 'UTC') + (12 + n) * interval '1 month') at time zone 'UTC' as due_at
        from orders_facts o cross join generate_series(1, 20) n
        where o.status = 2 and o.bonus_units > 0
      ) p
      full join (select * from payouts where kind = 'bonus') k on k.order_id = p.order_id and k.number = p.number
      where (p.order_id is null or k.order_id is null or k.user_id <> p.user_id or k.currency <> 'PTC' or k.units <> p.units or k.due_at <> p.due_at)
        and p.units is distinct from 0 limit 20`
  },
  {
    says: 'the bonus of an order is not what was booked as locked',
    query: sql`
      select o.id as what
      from orders_facts o
      left join lateral (
        select sum(g.amount) as units
        from ledger_lines g
        where g.source_id = o.id and g.reason = 'order_completed' and g.currency = 'PTC' and g.to_kind = 'locked' and g.to_owner = o.user_id
      ) b on true
      where o.status = 2 and coalesce(b.units, 0) <> o.bonus_units
        or o.bonus_units <> case when o.config_id between 121 and 150 then div(o.ptc_units * o.bonus_rate_hundredths, 10000) else 0 end limit 20`
  },
  {
    says: "the kept sums of a customer's stakes are not what their stakes and payouts come to",
    query: sql`
      select coalesce(s.user_id, w.user_id) || ' ' || coalesce(s.currency, w.currency) as what
      from stake_sums s
      full join (
        select p.user_id, p.currency, coalesce(k.orders, 0) as orders, coalesce(k.fiat_cents, 0) as fiat_cents,
          p.staked_units, p.paid_units, p.paid_count, p.planned_count
        from (
          select user_id, currency,
            coalesce(sum(units) filter (where kind = 'principal' and paid_at is null and cancelled_at is null), 0) as staked_units,
            coalesce(sum(units) filter (where kind = 'reward' and paid_at is not null), 0) as paid_units,
            count(*) filter (where kind = 'reward' and paid_at is not null) as paid_count,
            count(*) filter (where kind = 'reward' and cancelled_at is null) as planned_count
          from payouts where kind <> 'bonus' group by user_id, currency
        ) p
        left join (
          select t.user_id, t.currency, count(*) as orders, sum(o.fiat_cents) as fiat_cents
          from stakes t join orders_facts o on o.id = t.order_id where o.config_id not between 121 and 150 group by t.user_id, t.currency
        ) k on k.user_id = p.user_id and k.currency = p.currency
      ) w on w.user_id = s.user_id and w.currency = s.currency
      where (s.orders, s.fiat_cents, s.staked_units, s.paid_units, s.paid_count, s.planned_count)
        is distinct from (w.orders, w.fiat_cents, w.staked_units, w.paid_units, w.paid_count, w.planned_count) limit 20`
  },
  {
    says: 'a payout is marked as paid and was not booked so, or the other way round',
    query: sql`
      select coalesce('payout:' || p.order_id || ':' || p.kind || ':' || p.number, b.reference) as what
      from (select * from payouts where paid_at is not null) p
      full join (
        select reference, amount, currency, to_owner as owner_id, to_kind as destination, from_kind as source
        from ledger_lines
        where reason in ('staking_rewarded', 'staking_returned', 'bonus_released')
      ) b on b.reference = 'payout:' || p.order_id || ':' || p.kind || ':' || p.number
      where p.order_id is null or b.reference is null or b.amount <> p.units or b.currency <> p.currency or b.owner_id <> p.user_id
        or b.source || '>' || b.destination <> case p.kind
          when 'reward' then 'staking_rewards>reward' when 'principal' then 'staked>spot' else 'locked>spot' end limit 20`
  },
  {
    says: 'the account `staked` or `locked` is not what payouts are still to return',
    query: sql`
      select p.user_id || ' ' || p.account || ' ' || p.currency as what
      from (
        select user_id, currency, case kind when 'bonus' then 'locked' else 'staked' end as account,
          coalesce(sum(units) filter (where paid_at is null and cancelled_at is null), 0) as units
        from payouts where kind in ('principal', 'bonus') group by 1, 2, 3
      ) p
      left join ledger_balances a on a.owner_id = p.user_id and a.currency = p.currency and a.kind = p.account
      where coalesce(a.balance, 0) <> p.units limit 20`
  }
]
