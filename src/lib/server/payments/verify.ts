/** Compares the bank's entries with the books: every entry is booked with its amount, and nothing else is. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

export const paymentChecks: LedgerCheck[] = [
  {
    says: 'the completed order has no matched payment, or another amount',
    query: sql`
      select coalesce(o.id, p.order_id) as what
      from (select id, euro_cents_to_pay from orders_facts where status = 2) o
      full join (
        select order_id, amount_cents, currency, true as is_exact from payments where outcome = 'matched'
        union all
        select d.order_id, p.amount_cents, p.currency, false from payment_decisions d join payments p on p.id = d.payment_id
        where d.decision = 'assigned'
      ) p on p.order_id = o.id
      where o.id is null or p.order_id is null or (p.is_exact and p.amount_cents <> o.euro_cents_to_pay) or p.currency <> 'EUR' limit 20`
  },
  {
    says: 'the payment that fits no order was not booked with its amount',
    query: sql`
      select p.bank_entry_id || ': ' || p.amount_cents || ' against ' || coalesce(b.booked, 0) as what
      from payments p
      left join lateral (
        select sum(g.amount) as booked
        from ledger_lines g
        where g.source_type = 'payment' and g.source_id = p.bank_entry_id and g.currency = p.currency and g.reason <> 'payment_refunded'
          and g.from_kind = case when p.direction = 'credit' then 'bank' when p.outcome = 'refund' then 'refunds' else 'suspense' end
          and g.to_kind = case p.direction when 'credit' then 'suspense' else 'bank' end
      ) b on true
      where p.outcome <> 'matched' and b.booked is distinct from p.amount_cents limit 20`
  },
  {
    says: 'the decision about a payment was not booked with its amount',
    query: sql`
      -- Several payments can pay one order together.
      select d.reference || ': ' || d.amount || ' against ' || coalesce(b.booked, 0) as what
      from (
        select case d.decision when 'refunded' then 'refund:' || p.id else 'order:' || d.order_id end as reference, p.currency, sum(p.amount_cents) as amount
        from payment_decisions d join payments p on p.id = d.payment_id group by 1, 2
      ) d
      left join lateral (
        select sum(g.amount) as booked from ledger_lines g where g.from_kind = 'suspense' and g.currency = d.currency and g.reference = d.reference
      ) b on true
      where b.booked is distinct from d.amount limit 20`
  },
  {
    says: 'the refund is not the one that was decided',
    query: sql`
      select r.bank_entry_id as what from payments r
      left join payment_decisions d on d.payment_id = r.counterpart_id
      where r.outcome = 'refund' and d.payment_id is null limit 20`
  },
  {
    says: 'a refund goes out with another amount than was decided',
    query: sql`
      select r.end_to_end_id as what from refunds r
      join payments p on p.id = r.payment_id
      left join payment_decisions d on d.payment_id = p.id
      left join orders_facts o on o.id = d.order_id
      where r.amount_cents is distinct from
        case d.decision when 'refunded' then p.amount_cents when 'assigned' then p.amount_cents - o.euro_cents_to_pay end limit 20`
  },
  {
    says: 'what is owed to payers differs from what was decided and not sent',
    query: sql`
      select coalesce(o.currency, b.currency) || ': ' || coalesce(o.owed, 0) || ' against ' || coalesce(b.booked, 0) as what
      from (
        select p.currency, sum(case d.decision when 'refunded' then p.amount_cents
          else greatest(p.amount_cents - o.euro_cents_to_pay, 0) end) as owed
        from payment_decisions d join payments p on p.id = d.payment_id left join orders_facts o on o.id = d.order_id
        where not exists (select 1 from payments g where g.counterpart_id = p.id and g.outcome in ('refund', 'returned'))
        group by p.currency
      ) o
      full join (select currency, sum(balance) as booked from ledger_balances where kind = 'refunds' group by currency) b
        on b.currency = o.currency
      where coalesce(o.owed, 0) <> coalesce(b.booked, 0) limit 20`
  },
  {
    says: 'a booking of a payment belongs to no payment',
    query: sql`
      select t.reference as what from ledger_bookings t
      where t.source_type = 'payment'
        and not exists (select 1 from payments p where p.bank_entry_id = t.source_id and p.outcome <> 'matched') limit 20`
  },
  {
    says: 'the kept sums of a day at the bank are not those of its entries',
    query: sql`
      select coalesce(s.day, p.day) || ' ' || coalesce(s.currency, p.currency) as what from bank_day_sums s
      full join (
        select coalesce(told_on, booked_on) as day, currency, coalesce(sum(amount_cents) filter (where direction = 'credit'), 0) as came,
          coalesce(sum(amount_cents) filter (where direction = 'debit'), 0) as went
        from payments group by 1, 2
      ) p on p.day = s.day and p.currency = s.currency
      where (s.in_cents, s.out_cents) is distinct from (p.came, p.went) limit 20`
  }
]
