import { and, asc, desc, eq, gt, or, sql } from 'drizzle-orm'
import type { Answer } from '#lib/contract/types.ts'
import { BOOK_SIZE, p2pLabel } from '#lib/domain/p2p/order.ts'
import { settle } from '#lib/domain/p2p/settle.ts'
import { users } from '../access/index.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { statementOnce } from '../platform/db/builtOnce.ts'
import type { Executor } from '../platform/db/client.ts'
import { isOpenOrder, type P2pOrderRow, p2pOrders, p2pTraders, p2pTrades } from './schema.ts'

type Order = Answer<'listP2pOrders'>[number]
type Maker = { publicId: string; nickname: string; since: Date; trades: number }

/**
 * The viewer's own orders have their user id; those of others have the maker's public id and nickname. Without `viewerId` no order is the
 * viewer's own.
 */
function present(row: P2pOrderRow, maker: Maker, viewerId: string | undefined): Order {
  const isOwn = row.makerId === viewerId
  const rest = row.listedAmount - row.filledAmount
  // What is settled already and, for an open order, what the rest will settle.
  const open = settle({ ...row, grossBefore: row.grossSettled }, row.status === 'PENDING' ? rest : 0n)
  return {
    id: row.id,
    order_type: 'SELL',
    status: row.status,
    label: p2pLabel(row.status, isOwn ? 'maker' : 'neither'),
    maker_user_id: isOwn ? row.makerId : maker.publicId,
    taker_user_id: null,
    asset_currency: row.assetCurrency,
    settlement_currency: row.settlementCurrency,
    listed_asset_amount: row.listedAmount.toString(),
    filled_asset_amount: row.filledAmount.toString(),
    remaining_asset_amount: rest.toString(),
    smallest_fill_amount: (row.smallestFill < rest ? row.smallestFill : rest).toString(),
    gross_settlement_amount: (row.grossSettled + open.gross).toString(),
    settlement_fee_amount: (row.feeSettled + open.fee).toString(),
    price_per_coin: row.pricePerCoin,
    fee_basis_points: row.feeBasisPoints,
    maker_nickname: maker.nickname,
    maker_trades: maker.trades,
    maker_since: maker.since.toISOString(),
    is_own: isOwn,
    end_reason: row.end,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    completed_at: row.completedAt?.toISOString() ?? null,
    cancelled_at: row.cancelledAt?.toISOString() ?? null
  }
}

/** A seller's trades are counted up to this number: counting more would make the book slow to read. */
const MOST_COUNTED = 1000

const maker = {
  publicId: p2pTraders.publicId,
  nickname: p2pTraders.nickname,
  since: p2pTraders.createdAt
}

type Row = { row: P2pOrderRow; maker: Omit<Maker, 'trades'> }

/** Orders with their sellers, whose trades are counted once each. In the order of the index, or a seller without trades would make it read all of them. */
async function presentAll(db: Executor, rows: Row[], viewerId: string | undefined): Promise<Order[]> {
  const sellers = [...new Set(rows.map(({ row }) => row.makerId))]
  const counted = sellers.length === 0 ? [] : await tradesOf(db, { sellers: `{${sellers.join()}}` })
  const trades = new Map(counted.map((one) => [one.seller, one.trades]))
  return rows.map(({ row, maker }) => present(row, { ...maker, trades: trades.get(row.makerId) ?? 0 }, viewerId))
}

const tradesOf = statementOnce<{ seller: string; trades: number }>(
  'p2p_trades_of_sellers',
  () => sql`
    select s.seller::text, (select count(*)::int from (
      select 1 from p2p_trades t where t.maker_id = s.seller order by t.traded_at limit ${sql.raw(String(MOST_COUNTED))}) counted) as trades
    from unnest(${sql.placeholder('sellers')}::uuid[]) as s(seller)`
)

/** Orders that are read, so that `BOOK_SIZE` of them can be shown. */
const READ_AT_ONCE = 200
const MOST_OF_A_SELLER = 10

type BookQuery = { assetCurrency: string; settlementCurrency: string; amount?: string | undefined }

/** Open orders, best price first, then oldest; with `amount` only those from which this much can be bought. */
export function listBook(context: Context, { userId }: Customer, query: BookQuery): Promise<Order[]> {
  return loadBook(context, query, userId)
}

/** The same for one viewer or, without `viewerId`, for all at once. */
export async function loadBook({ db, clock }: Context, query: BookQuery, viewerId?: string): Promise<Order[]> {
  const { assetCurrency, settlementCurrency, amount } = query
  const rest = sql`${p2pOrders.listedAmount} - ${p2pOrders.filledAmount}`
  const wanted =
    amount === undefined
      ? undefined
      : sql`${rest} >= ${amount}::numeric and (${rest} = ${amount}::numeric
          or (${p2pOrders.smallestFill} <= ${amount}::numeric and ${rest} - ${amount}::numeric >= ${p2pOrders.smallestFill}))`
  const rows = await db
    .select({ row: p2pOrders, maker })
    .from(p2pOrders)
    .innerJoin(p2pTraders, eq(p2pTraders.userId, p2pOrders.makerId))
    .where(
      and(
        eq(p2pOrders.assetCurrency, assetCurrency),
        eq(p2pOrders.settlementCurrency, settlementCurrency),
        isOpenOrder,
        gt(p2pOrders.expiresAt, clock()),
        wanted
      )
    )
    .orderBy(asc(p2pOrders.pricePerCoin), asc(p2pOrders.createdAt), asc(p2pOrders.id))
    .limit(READ_AT_ONCE)
  return presentAll(db, fewOfEach(rows), viewerId)
}

/** The best orders with at most a few of each seller, so that nobody can crowd the others out. */
function fewOfEach<T extends { row: P2pOrderRow }>(rows: T[]): T[] {
  const shown = new Map<string, number>()
  const few = rows.filter(({ row: { makerId } }) => {
    const count = (shown.get(makerId) ?? 0) + 1
    shown.set(makerId, count)
    return count <= MOST_OF_A_SELLER
  })
  return few.slice(0, BOOK_SIZE)
}

/** The open orders of a customer, by their e-mail, oldest first. */
export function openOrdersOf(db: Executor, email: string): Promise<{ id: string }[]> {
  return db
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .innerJoin(users, eq(users.id, p2pOrders.makerId))
    .where(and(eq(users.email, email), isOpenOrder))
    .orderBy(asc(p2pOrders.createdAt))
}

type Page = { page: number; size: number }

/** The customer's own orders, in every state, newest first. */
export async function listOwnOrders({ db }: Context, { userId }: Customer, { page, size }: Page): Promise<Order[]> {
  const rows = await db
    .select({ row: p2pOrders, maker })
    .from(p2pOrders)
    .innerJoin(p2pTraders, eq(p2pTraders.userId, p2pOrders.makerId))
    .where(eq(p2pOrders.makerId, userId))
    .orderBy(desc(p2pOrders.createdAt), desc(p2pOrders.id))
    .limit(size)
    .offset((page - 1) * size)
  return presentAll(db, rows, userId)
}

/** The customer's trades, as seller and as buyer, newest first. */
export async function listTrades({ db }: Context, { userId }: Customer, { page, size }: Page): Promise<Answer<'listP2pTrades'>> {
  const isMaker = sql<boolean>`${p2pTrades.makerId} = ${userId}`
  const rows = await db
    .select({ trade: p2pTrades, order: p2pOrders, by: p2pTraders.nickname })
    .from(p2pTrades)
    .innerJoin(p2pOrders, eq(p2pOrders.id, p2pTrades.orderId))
    .innerJoin(
      p2pTraders,
      eq(p2pTraders.userId, sql`case when ${isMaker} then ${p2pTrades.takerId} else ${p2pTrades.makerId} end`)
    )
    .where(or(eq(p2pTrades.makerId, userId), eq(p2pTrades.takerId, userId)))
    .orderBy(desc(p2pTrades.tradedAt), desc(p2pTrades.id))
    .limit(size)
    .offset((page - 1) * size)
  return rows.map(({ trade, order, by }) => ({
    id: trade.id,
    order_id: order.id,
    label: p2pLabel('COMPLETED', trade.makerId === userId ? 'maker' : 'taker'),
    counterpart: by,
    asset_currency: order.assetCurrency,
    settlement_currency: order.settlementCurrency,
    asset_amount: trade.amount.toString(),
    price_per_coin: order.pricePerCoin,
    gross_settlement_amount: trade.gross.toString(),
    settlement_fee_amount: trade.makerId === userId ? trade.fee.toString() : '0',
    created_at: trade.tradedAt.toISOString()
  }))
}
