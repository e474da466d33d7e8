/** Compares deposits with the books: each is booked with its amount where its note says, taken back where its block was, and nothing else is. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

/** The sum of a deposit's lines of one reason out of, or into, the account of the chain. */
const booked = (side: 'source' | 'destination', reverted: boolean) => sql`
  coalesce((
    select sum(p.amount) from ledger_transactions t join postings p on p.transaction_id = t.id
    join accounts a on a.id = ${sql.raw(`p.${side}_id`)} and a.kind = 'chain'
    where t.source_type = 'deposit' and t.source_id = d.id::text and p.currency = d.currency
      and (t.reason = 'deposit_reverted') = ${sql.raw(String(reverted))}
  ), 0)`

export const depositChecks: LedgerCheck[] = [
  {
    says: 'the deposit was not booked with its amount',
    query: sql`
      select d.id || ': ' || d.amount || ' against ' || ${booked('source', false)} as what from deposits d
      where ${booked('source', false)} <> case when d.booked_at is null then 0 else d.amount end limit 20`
  },
  {
    says: 'the deposit of a removed block was not taken back with its amount',
    query: sql`
      select d.id || ': ' || d.amount || ' against ' || ${booked('destination', true)} as what from deposits d
      where ${booked('destination', true)} <> case when d.booked_at is null or d.reverted_at is null then 0 else d.amount end limit 20`
  },
  {
    says: 'the deposit was credited to somebody else',
    query: sql`
      select d.id || '' as what from deposits d
      join ledger_transactions t on t.source_type = 'deposit' and t.source_id = d.id::text
      join postings p on p.transaction_id = t.id
      join accounts a on a.id in (p.source_id, p.destination_id) and a.kind in ('spot', 'funding')
      where a.owner_id is distinct from d.user_id limit 20`
  },
  {
    says: 'what customers owe for deposits that were taken back is not what the books lost',
    query: sql`
      select coalesce(o.currency, l.currency) || ': ' || coalesce(o.owed, 0) || ' against ' || coalesce(l.lost, 0) as what
      from (select currency, sum(owed) as owed from deposit_debts group by currency) o
      full join (
        select p.currency, sum(case when s.kind = 'losses' then p.amount else -p.amount end) as lost
        from ledger_transactions t join postings p on p.transaction_id = t.id
        join accounts s on s.id = p.source_id join accounts d on d.id = p.destination_id
        where t.source_type = 'deposit' and 'losses' in (s.kind, d.kind)
        group by p.currency
      ) l on l.currency = o.currency
      where coalesce(o.owed, 0) <> coalesce(l.lost, 0) limit 20`
  },
  {
    says: 'a booking of a deposit belongs to no deposit',
    query: sql`
      select t.reference as what from ledger_transactions t
      where t.source_type = 'deposit' and not exists (select 1 from deposits d where d.id::text = t.source_id) limit 20`
  }
]
