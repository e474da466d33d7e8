/** Compares orders with the books: owner, token, amount and euro amount of each. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

const HOUSE = sql`'00000000-0000-0000-0000-000000000000'`

export const orderChecks: LedgerCheck[] = [
  {
    says: 'the order was booked more than once',
    query: sql`
      select source_id as what from ledger_transactions where reason = 'order_completed'
      group by source_id having count(*) > 1 limit 20`
  },
  {
    says: 'the booking of the order has a line that belongs to no part of it',
    query: sql`
      select o.id || ': ' || s.kind || ' to ' || d.kind || ' ' || p.amount || ' ' || p.currency as what
      from ledger_transactions t
      join orders o on o.id = t.source_id
      join postings p on p.transaction_id = t.id
      join accounts s on s.id = p.source_id
      join accounts d on d.id = p.destination_id
      where t.reason = 'order_completed' and s.owner_id = ${HOUSE} and not (
        (s.kind in ('bank', 'suspense') and d.kind in ('treasury', 'fees') and d.owner_id = ${HOUSE} and p.currency = 'EUR')
        or (s.kind = 'suspense' and d.kind = 'refunds' and d.owner_id = ${HOUSE} and p.currency = 'EUR')
        or (s.kind = 'treasury' and d.owner_id = o.user_id and d.kind in ('spot', 'staked', 'locked'))
        or (s.kind = 'rewards' and d.kind = 'reward')
      ) or t.reason = 'order_completed' and s.owner_id <> ${HOUSE} limit 20`
  },
  {
    says: 'the completed order was not booked, or is booked and not completed',
    query: sql`
      select coalesce(o.id, t.source_id) as what
      from (select id from orders where status = 2) o
      full join (select source_id from ledger_transactions where reason = 'order_completed') t on t.source_id = o.id
      where o.id is null or t.source_id is null limit 20`
  },
  {
    says: "the tokens of the order are not what its customer's account got",
    query: sql`
      select o.id || ': ' || (o.cpc_units + o.ptc_units) || ' against ' || coalesce(b.booked, 0) as what
      from orders o
      join ledger_transactions t on t.source_id = o.id and t.reason = 'order_completed'
      left join lateral (
        select sum(p.amount) as booked
        from postings p
        join accounts d on d.id = p.destination_id
        join accounts s on s.id = p.source_id
        where p.transaction_id = t.id and s.kind = 'treasury' and d.owner_id = o.user_id
          and d.kind = case when o.staking_months > 0 then 'staked' else 'spot' end
          and p.currency = case when o.cpc_units > 0 then 'CPC' else 'PTC' end
      ) b on true
      where coalesce(b.booked, 0) <> o.cpc_units + o.ptc_units limit 20`
  },
  {
    says: 'the euros of the order are not what was booked',
    query: sql`
      select o.id || ': ' || o.euro_cents_to_pay || ' against ' || coalesce(b.booked, 0) as what
      from orders o
      join ledger_transactions t on t.source_id = o.id and t.reason = 'order_completed'
      left join lateral (
        select sum(p.amount) as booked
        from postings p join accounts s on s.id = p.source_id
        where p.transaction_id = t.id and s.kind = 'bank' and s.owner_id = ${HOUSE} and p.currency = 'EUR'
      ) b on true
      where coalesce(b.booked, 0) <> o.euro_cents_to_pay
        -- Paid by an operator's decision: payments compares that with its payment.
        and not exists (
          select 1 from postings p join accounts s on s.id = p.source_id
          where p.transaction_id = t.id and s.kind = 'suspense' and s.owner_id = ${HOUSE}
        ) limit 20`
  }
]
