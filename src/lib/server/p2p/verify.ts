/** Compares orders and trades with the books: frozen once, sold or given back once, to the right people. */
import { sql } from 'drizzle-orm'
import type { LedgerCheck } from '../ledger/index.ts'

const booked = (type: 'p2p_order' | 'p2p_trade', id: string, reason: string, kinds: [string, string]) => sql`
  coalesce((
    select sum(l.amount) from ledger_lines l
    where l.source_type = ${type} and l.source_id = ${sql.raw(id)}::text and l.reason = ${reason}
      and (${reason} <> 'p2p_traded' or l.from_owner <> l.to_owner)
      and l.from_kind in (${sql.raw(kinds[0])}) and l.to_kind in (${sql.raw(kinds[1])})
  ), 0)`
const listed = booked('p2p_order', 'o.id', 'p2p_listed', [`'spot', 'funding'`, `'frozen'`])
const returned = booked('p2p_order', 'o.id', 'p2p_cancelled', [`'frozen'`, `'funding'`])
const sold = booked('p2p_trade', 'x.id', 'p2p_traded', [`'frozen'`, `'funding'`])
const net = booked('p2p_trade', 'x.id', 'p2p_traded', [`'spot', 'funding'`, `'funding'`])
const fee = booked('p2p_trade', 'x.id', 'p2p_traded', [`'spot', 'funding'`, `'fees'`])

/** What P2P itself has booked on the frozen account `a`; other features may have frozen something too. */
const frozen = sql`
  coalesce((
    select sum(case when l.to_owner = a.owner_id and l.to_kind = 'frozen' then l.amount else -l.amount end)
    from ledger_lines l
    where l.source_type in ('p2p_order', 'p2p_trade') and l.currency = a.currency
      and ((l.from_owner = a.owner_id and l.from_kind = 'frozen') or (l.to_owner = a.owner_id and l.to_kind = 'frozen'))
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
      left join ledger_lines l on l.source_type = 'p2p_trade' and l.source_id = x.id::text
      where x.maker_id <> o.maker_id or x.maker_id = x.taker_id
        or (l.currency = o.asset_currency and (l.from_owner <> x.maker_id or l.to_owner <> x.taker_id))
        or (l.currency = o.settlement_currency and (l.from_owner <> x.taker_id or (
          l.to_kind <> 'fees' and l.to_owner <> x.maker_id
          and not (l.to_owner = x.taker_id and l.from_kind = 'spot' and l.to_kind = 'funding'))))
        or l.currency not in (o.asset_currency, o.settlement_currency) limit 20`
  },
  {
    says: 'what P2P has frozen of customers is not what their open orders hold',
    query: sql`
      select a.owner_id || ' ' || a.currency || ': ' || ${frozen} || ' of ' || a.balance || ' against ' || coalesce(o.amount, 0) as what
      from ledger_balances a left join (
        select maker_id, asset_currency, sum(listed_amount - filled_amount) as amount from p2p_orders
        where status = 'PENDING' group by maker_id, asset_currency
      ) o on o.maker_id = a.owner_id and o.asset_currency = a.currency
      where a.kind = 'frozen' and (${frozen} <> coalesce(o.amount, 0) or a.balance < coalesce(o.amount, 0)) limit 20`
  }
]
