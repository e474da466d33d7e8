/** Compares orders and trades with the books: frozen once, sold or given back once, to the right people. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

const booked = (type: 'p2p_order' | 'p2p_trade', id: string, reason: string, kinds: [string, string]) => sql`
  coalesce((
    select sum(p.amount) from ledger_transactions t join postings p on p.transaction_id = t.id
    join accounts s on s.id = p.source_id join accounts d on d.id = p.destination_id
    where t.source_type = ${type} and t.source_id = ${sql.raw(id)}::text and t.reason = ${reason}
      and (${reason} <> 'p2p_traded' or s.owner_id <> d.owner_id)
      and s.kind in (${sql.raw(kinds[0])}) and d.kind in (${sql.raw(kinds[1])})
  ), 0)`
const listed = booked('p2p_order', 'o.id', 'p2p_listed', [`'spot', 'funding'`, `'frozen'`])
const returned = booked('p2p_order', 'o.id', 'p2p_cancelled', [`'frozen'`, `'funding'`])
const sold = booked('p2p_trade', 'x.id', 'p2p_traded', [`'frozen'`, `'funding'`])
const net = booked('p2p_trade', 'x.id', 'p2p_traded', [`'spot', 'funding'`, `'funding'`])
const fee = booked('p2p_trade', 'x.id', 'p2p_traded', [`'spot', 'funding'`, `'fees'`])

/** What P2P itself has booked on the account `a`; others may have frozen something too. */
const frozen = sql`
  coalesce((
    select sum(case when p.destination_id = a.id then p.amount else -p.amount end)
    from postings p join ledger_transactions t on t.id = p.transaction_id
    where a.id in (p.source_id, p.destination_id) and t.source_type in ('p2p_order', 'p2p_trade')
  ), 0)`

export const p2pChecks: LedgerCheck[] = [
  {
    says: 'the P2P order did not freeze its amount',
    query: sql`select o.id || ': ' || o.listed_amount || ' against ' || ${listed} as what from p2p_orders o where ${listed} <> o.listed_amount limit 20`
  },
  {
    says: 'the P2P order was not given back, or was given back although it is not cancelled',
    query: sql`
      select o.id || ': ' || o.status || ', ' || ${returned} as what from p2p_orders o
      where ${returned} <> case when o.status = 'CANCELLED' then o.listed_amount - o.filled_amount else 0 end limit 20`
  },
  {
    says: 'the P2P order and its trades do not agree',
    query: sql`
      select o.id || '' as what from p2p_orders o left join (
        select order_id, sum(amount) as amount, sum(gross) as gross, sum(fee) as fee from p2p_trades group by order_id
      ) t on t.order_id = o.id
      where coalesce(t.amount, 0) <> o.filled_amount or coalesce(t.gross, 0) <> o.gross_settled or coalesce(t.fee, 0) <> o.fee_settled
        or (o.status = 'COMPLETED') <> (o.filled_amount = o.listed_amount) limit 20`
  },
  {
    says: 'the P2P trade was not booked with its amounts',
    query: sql`
      select x.id || ': ' || ${sold} || ', ' || ${net} || ', ' || ${fee} as what from p2p_trades x
      where ${sold} <> x.amount or ${net} <> x.gross - x.fee or ${fee} <> x.fee limit 20`
  },
  {
    says: 'the P2P trade is not that of its order, or was booked on accounts of somebody else',
    query: sql`
      select x.id || '' as what from p2p_trades x join p2p_orders o on o.id = x.order_id
      left join ledger_transactions t on t.source_type = 'p2p_trade' and t.source_id = x.id::text
      left join postings p on p.transaction_id = t.id
      left join accounts s on s.id = p.source_id left join accounts d on d.id = p.destination_id
      where x.maker_id <> o.maker_id or x.maker_id = x.taker_id
        or (p.currency = o.asset_currency and (s.owner_id <> x.maker_id or d.owner_id <> x.taker_id))
        or (p.currency = o.settlement_currency and (s.owner_id <> x.taker_id or (
          d.kind <> 'fees' and d.owner_id <> x.maker_id and not (d.owner_id = x.taker_id and s.kind = 'spot' and d.kind = 'funding'))))
        or p.currency not in (o.asset_currency, o.settlement_currency) limit 20`
  },
  {
    says: 'what P2P has frozen of customers is not what their open orders hold',
    query: sql`
      select a.owner_id || ' ' || a.currency || ': ' || ${frozen} || ' of ' || a.balance || ' against ' || coalesce(o.amount, 0) as what
      from accounts a left join (
        select maker_id, asset_currency, sum(listed_amount - filled_amount) as amount from p2p_orders
        where status = 'PENDING' group by maker_id, asset_currency
      ) o on o.maker_id = a.owner_id and o.asset_currency = a.currency
      where a.kind = 'frozen' and (${frozen} <> coalesce(o.amount, 0) or a.balance < coalesce(o.amount, 0)) limit 20`
  }
]
