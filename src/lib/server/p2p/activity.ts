import { sql } from 'drizzle-orm'
import { type ActivitySource, activityColumns } from '../platform/activitySource.ts'

/** Trades: sales with what they brought, and purchases with what they cost. */
export const p2pActivity: ActivitySource = {
  kinds: ['trade'],
  linesOf: (userId) => sql`
    select ${activityColumns({
      id: sql`'trade:' || x.id`,
      at: sql`x.traded_at`,
      kind: 'trade',
      name: 'trade',
      currency: sql`o.asset_currency`,
      amount: sql`x.amount`,
      direction: sql`case when x.maker_id = ${userId} then 'out' else 'in' end`,
      about: sql`jsonb_build_object(
        'isSold', x.maker_id = ${userId}, 'price', o.price_per_coin::text, 'settlement', o.settlement_currency,
        'settled', (case when x.maker_id = ${userId} then x.gross - x.fee else x.gross end)::text, 'by', other.nickname)`,
      found: sql`'p2p' || case when x.maker_id = ${userId} then 'sold' else 'bought' end || lower(replace(other.nickname, ' ', '')) || lower(o.settlement_currency)`
    })}
    from p2p_trades x join p2p_orders o on o.id = x.order_id
    join p2p_traders other on other.user_id = case when x.maker_id = ${userId} then x.taker_id else x.maker_id end
    where x.maker_id = ${userId} or x.taker_id = ${userId}`
}
