/** Compares withdrawals with the books: each took its amount, and paid it out or gave it back, once. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

const booked = (reason: string, side: 'from' | 'to', kind: string) => sql`
  coalesce((
    select sum(l.amount) from ledger_lines l
    where l.source_type = 'withdrawal' and l.source_id = w.id::text and l.reason = ${reason} and l.currency = w.currency
      and ${sql.raw(`l.${side}_kind`)} = ${kind}
  ), 0)`
const requested = booked('withdrawal_requested', 'to', 'outgoing')
const returned = booked('withdrawal_returned', 'from', 'outgoing')
const paid = booked('withdrawal_confirmed', 'to', 'chain')
const fee = booked('withdrawal_confirmed', 'to', 'fees')

export const withdrawalChecks: LedgerCheck[] = [
  {
    says: 'the withdrawal did not take its amount',
    query: sql`select w.id || ': ' || w.amount || ' against ' || ${requested} as what from withdrawals w where ${requested} <> w.amount limit 20`
  },
  {
    says: 'the withdrawal was not given back, or was given back although it is not over',
    query: sql`
      select w.id || ': ' || w.state || ', ' || ${returned} as what from withdrawals w
      where ${returned} <> case when w.state in ('cancelled', 'rejected', 'given_back') then w.amount else 0 end limit 20`
  },
  {
    says: 'the withdrawal was not paid out with its amount and fee, or was paid although it is not confirmed',
    query: sql`
      select w.id || ': ' || w.state || ', ' || ${paid} || ' and ' || ${fee} as what from withdrawals w
      where ${paid} <> case when w.state = 'confirmed' then w.amount - w.fee else 0 end
        or ${fee} <> case when w.state = 'confirmed' then w.fee else 0 end limit 20`
  },
  {
    says: 'the withdrawal and its send on the chain do not agree',
    query: sql`
      select w.id || ': ' || w.state || ' against ' || coalesce(s.state, 'none') as what
      from withdrawals w left join chains_sent s on s.id = w.id and s.purpose = 'withdrawal'
      where coalesce(s.state, 'none') <> case w.state when 'signed' then 'signed' when 'confirmed' then 'confirmed' when 'given_back' then 'failed' else 'none' end
        or (s.id is not null and (s.amount <> w.amount - w.fee or s.receiver <> w.receiver or s.currency <> w.currency)) limit 20`
  },
  {
    says: 'what customers have on its way out is not what their open withdrawals hold',
    query: sql`
      select a.owner_id || ' ' || a.currency || ': ' || a.balance || ' against ' || coalesce(o.amount, 0) as what
      from ledger_balances a left join (
        select user_id, currency, sum(amount) as amount from withdrawals
        where state in ('unconfirmed', 'review', 'approved', 'signed') group by user_id, currency
      ) o on o.user_id = a.owner_id and o.currency = a.currency
      where a.kind = 'outgoing' and a.balance <> coalesce(o.amount, 0) limit 20`
  },
  {
    says: 'the withdrawal was booked on accounts of somebody else',
    query: sql`
      select w.id || '' as what from withdrawals w
      join ledger_lines l on l.source_type = 'withdrawal' and l.source_id = w.id::text
      where (l.from_kind in ('spot', 'funding', 'outgoing') and l.from_owner <> w.user_id)
        or (l.to_kind in ('spot', 'funding', 'outgoing') and l.to_owner <> w.user_id) limit 20`
  }
]

const settled = (side: 'from' | 'to') => sql`
  coalesce((
    select sum(l.amount) from ledger_lines l
    where l.source_type = 'chain_send' and l.source_id = s.id::text and l.reason in ('cold_moved', 'cold_refilled') and l.currency = s.currency
      and ${sql.raw(`l.${side}_kind`)} = 'cold'
  ), 0)`

export const coldChecks: LedgerCheck[] = [
  {
    says: 'a customer was charged for a payment that was not theirs, or with another amount',
    query: sql`
      select b.reference as what from (
        select l.reference, l.source_id, l.currency, sum(l.amount) as amount, min(l.from_owner::text) as owner, count(distinct l.from_owner) as owners
        from ledger_lines l where l.reason = 'adjustment' and l.reference like 'charged:%' group by 1, 2, 3
      ) b
      left join chains_sent s on s.id::text = b.source_id
      where s.id is null or s.purpose <> 'lost' or s.state <> 'confirmed' or s.currency <> b.currency or s.amount <> b.amount or b.owners <> 1
        or s.customer is distinct from encode(sha256(convert_to('customer:' || b.owner, 'UTF8')), 'hex') limit 20`
  },
  {
    says: 'what went to cold storage or came back is not what the chain has confirmed',
    query: sql`
      select s.id || ': ' || s.purpose || ', ' || s.state || ', ' || ${settled('from')} || ' and ' || ${settled('to')} as what from chains_sent s
      where ${settled('from')} <> case when s.purpose = 'cold' and s.state = 'confirmed' then s.amount else 0 end
        or ${settled('to')} <> case when s.purpose = 'refill' and s.state = 'confirmed' then s.amount else 0 end limit 20`
  }
]
