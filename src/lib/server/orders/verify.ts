/** Compares orders with the books: owner, token, amount and euro amount of each. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

const HOUSE = sql`'00000000-0000-0000-0000-000000000000'`

export const orderChecks: LedgerCheck[] = [
  {
    says: 'the order was booked more than once',
    query: sql`
      select source_id as what from ledger_bookings where reason = 'order_completed'
      group by source_id having count(*) > 1 limit 20`
  },
  {
    says: 'the booking of the order has a line that belongs to no part of it',
    query: sql`
      select o.id || ': ' || l.from_kind || ' to ' || l.to_kind || ' ' || l.amount || ' ' || l.currency as what
      from ledger_lines l
      join orders o on o.id = l.source_id
      where l.reason = 'order_completed' and l.from_owner = ${HOUSE} and not (
        (l.from_kind in ('bank', 'suspense') and l.to_kind in ('treasury', 'fees') and l.to_owner = ${HOUSE} and l.currency = 'EUR')
        or (l.from_kind = 'suspense' and l.to_kind = 'refunds' and l.to_owner = ${HOUSE} and l.currency = 'EUR')
        or (l.from_kind = 'treasury' and l.to_owner = o.user_id and l.to_kind in ('spot', 'staked', 'locked'))
        or (l.from_kind = 'owed' and l.to_kind = 'treasury')
        or (l.from_kind = 'treasury' and l.to_kind = 'rewards')
        or (l.from_kind = 'rewards' and l.to_kind = 'reward')
      ) or l.reason = 'order_completed' and l.from_owner <> ${HOUSE} and not (l.from_kind = 'reward' and l.to_kind = 'rewards') limit 20`
  },
  {
    says: 'the completed order was not booked, or is booked and not completed',
    query: sql`
      select coalesce(o.id, t.source_id) as what
      from (select id from orders where status = 2) o
      full join (select source_id from ledger_bookings where reason = 'order_completed') t on t.source_id = o.id
      where o.id is null or t.source_id is null limit 20`
  },
  {
    says: "the tokens of the order are not what its customer's account got",
    query: sql`
      select o.id || ': ' || (o.cpc_units + o.ptc_units) || ' against ' || coalesce(b.booked, 0) as what
      from orders o
      join ledger_bookings t on t.source_id = o.id and t.reason = 'order_completed'
      left join lateral (
        select sum(l.amount) as booked
        from ledger_lines l
        where l.transaction_id = t.id and l.from_kind = 'treasury' and l.to_owner = o.user_id
          and l.to_kind = case when o.staking_months > 0 then 'staked' else 'spot' end
          and l.currency = case when o.cpc_units > 0 then 'CPC' else 'PTC' end
      ) b on true
      where coalesce(b.booked, 0) <> o.cpc_units + o.ptc_units limit 20`
  },
  {
    says: 'the euros of the order are not what was booked',
    query: sql`
      select o.id || ': ' || o.euro_cents_to_pay || ' against ' || coalesce(b.booked, 0) as what
      from orders o
      join ledger_bookings t on t.source_id = o.id and t.reason = 'order_completed'
      left join lateral (
        select sum(l.amount) as booked
        from ledger_lines l
        where l.transaction_id = t.id and l.from_kind = 'bank' and l.from_owner = ${HOUSE} and l.currency = 'EUR'
      ) b on true
      where coalesce(b.booked, 0) <> o.euro_cents_to_pay
        -- Paid by an operator's decision: payments compares that with its payment.
        and not exists (
          select 1 from ledger_lines l
          where l.transaction_id = t.id and l.from_kind = 'suspense' and l.from_owner = ${HOUSE}
        ) limit 20`
  }
]
