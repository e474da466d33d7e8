/**
 * Compares deposits with the books: a booked one is in them with its amount, taken back if its block was removed, and never on another
 * customer's accounts; debts and losses agree.
 */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

/** The sum of a deposit's lines out of, or into, the accounts `chain` and `cold`: those of its reversal if `reverted`, otherwise all others. */
const booked = (side: 'from' | 'to', reverted: boolean) => sql`
  coalesce((
    select sum(l.amount) from ledger_lines l
    where l.source_type = 'deposit' and l.source_id = d.id::text and l.currency = d.currency and ${sql.raw(`l.${side}_kind`)} in ('chain', 'cold')
      and (l.reason = 'deposit_reverted') = ${sql.raw(String(reverted))}
  ), 0)`

export const depositChecks: LedgerCheck[] = [
  {
    says: 'the deposit was not booked with its amount',
    query: sql`
      select d.id || ': ' || d.amount || ' against ' || ${booked('from', false)} as what from deposits d
      where ${booked('from', false)} <> case when d.booked_at is null then 0 else d.amount end limit 20`
  },
  {
    says: 'the deposit of a removed block was not taken back with its amount',
    query: sql`
      select d.id || ': ' || d.amount || ' against ' || ${booked('to', true)} as what from deposits d
      where ${booked('to', true)} <> case when d.booked_at is null or d.reverted_at is null then 0 else d.amount end limit 20`
  },
  {
    says: 'the deposit was credited to somebody else',
    query: sql`
      select d.id || '' as what from deposits d
      join ledger_lines l on l.source_type = 'deposit' and l.source_id = d.id::text
      where (l.from_kind in ('spot', 'funding') and l.from_owner is distinct from d.user_id and not exists (
          -- Taken back from whom an operator had credited.
          select 1 from suspense_decisions s where s.kind = 'deposit' and s.suspended_id = d.id and s.user_id = l.from_owner))
        or (l.to_kind in ('spot', 'funding') and l.to_owner is distinct from d.user_id) limit 20`
  },
  {
    says: 'what customers owe for deposits that were taken back is not what the books lost',
    query: sql`
      select coalesce(o.currency, l.currency) || ': ' || coalesce(o.owed, 0) || ' against ' || coalesce(l.lost, 0) as what
      from (select currency, sum(owed) as owed from deposit_debts group by currency) o
      full join (
        select currency, sum(case when from_kind = 'losses' then amount else -amount end) as lost
        from ledger_lines where source_type in ('deposit', 'suspense') and 'losses' in (from_kind, to_kind)
        group by currency
      ) l on l.currency = o.currency
      where coalesce(o.owed, 0) <> coalesce(l.lost, 0) limit 20`
  },
  {
    says: 'the surplus was not booked with its amount',
    query: sql`
      select s.id || ': ' || s.amount || ' against ' || b.amount as what from coin_surpluses s
      cross join lateral (
        select coalesce(sum(l.amount), 0) as amount from ledger_lines l
        where l.source_type = 'surplus' and l.source_id = s.id::text and l.currency = s.currency
      ) b where b.amount <> case when s.booked_at is null then 0 else s.amount end limit 20`
  },
  {
    says: 'a booking of a deposit belongs to no deposit',
    query: sql`
      select t.reference as what from ledger_bookings t
      where t.source_type = 'deposit' and not exists (select 1 from deposits d where d.id::text = t.source_id) limit 20`
  },
  {
    says: 'coins out of suspense were not booked as was decided',
    query: sql`
      select coalesce(b.source_id, d.kind || ':' || d.suspended_id) as what from (
        select source_id, currency, sum(amount) as amount, bool_or(to_kind = 'treasury') as kept, min(to_owner::text) filter (where to_kind = 'spot') as owner
        from ledger_lines where reason = 'suspense_decided' group by source_id, currency
      ) b
      left join suspense_decisions d on d.kind || ':' || d.suspended_id = b.source_id
      left join deposits p on d.kind = 'deposit' and p.id = d.suspended_id
      left join coin_surpluses s on d.kind = 'surplus' and s.id = d.suspended_id
      where d.id is null or (p.id is not null and b.amount <> p.amount) or b.currency is distinct from coalesce(p.currency, s.currency)
        or b.kept <> (d.user_id is null) or b.owner <> d.user_id::text limit 20`
  }
]
