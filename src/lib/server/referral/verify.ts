/** Compares rewards with their orders: the recipient, who must be the inviter of the order's customer, and the amount. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const referralChecks: LedgerCheck[] = [
  {
    says: 'the reward of the order went to somebody who did not invite its customer',
    query: sql`
      select o.id as what
      from orders_facts o
      join access_inviters u on u.user_id = o.user_id
      join ledger_lines l on l.source_id = o.id and l.reason = 'order_completed' and l.to_kind = 'reward'
      where l.to_owner is distinct from u.inviter_id limit 20`
  },
  {
    says: "the reward of the order is not 5 % of its value at the order's price",
    query: sql`
      select o.id || ': ' || w.owed || ' against ' || coalesce(b.booked, 0) as what
      from orders_facts o
      join access_inviters u on u.user_id = o.user_id
      join ledger_bookings t on t.source_id = o.id and t.reason = 'order_completed'
      cross join lateral (
        select case when u.inviter_id is null or exists (select 1 from referral_rewards r where r.order_id = o.id and r.amount = 0) then 0
          else div(div(o.fiat_cents::numeric * 5, 100) * 1000000, o.cpc_price_usd::numeric) end as owed
      ) w
      left join lateral (
        select sum(l.amount) as booked from ledger_lines l
        where l.transaction_id = t.id and l.to_kind = 'reward' and l.currency = 'CPC'
      ) b on true
      where coalesce(b.booked, 0) <> w.owed limit 20`
  },
  {
    says: 'what inviters owe for rewards that were taken back is not what the books miss',
    query: sql`
      select coalesce(o.inviter_id, l.owner)::text || ': ' || coalesce(o.missing, 0) || ' against ' || coalesce(l.back, 0) as what
      from (
        select inviter_id, sum(amount - owed) as missing from referral_rewards where taken_back_at is not null group by inviter_id
      ) o
      full join (
        select from_owner as owner, sum(amount) as back from ledger_lines
        where from_kind = 'reward' and to_kind = 'rewards' group by from_owner
      ) l on l.owner = o.inviter_id
      where coalesce(o.missing, 0) <> coalesce(l.back, 0) limit 20`
  }
]
