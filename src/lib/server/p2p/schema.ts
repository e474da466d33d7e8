import { eq, sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { P2P_ENDS, P2P_STATUSES, type P2pEnd, type P2pStatus } from '#lib/domain/p2p/order.ts'
import { users } from '../access/schema.ts'
import { amount, literal, moment, oneOf, rate } from '../platform/db/columns.ts'

/** Traders, each under a name that says nothing about them. */
export const p2pTraders = pgTable('p2p_traders', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Identifies the trader to others in the API. */
  publicId: uuid('public_id').notNull().unique(),
  nickname: text('nickname').notNull().unique(),
  createdAt: moment('created_at').notNull()
})

/** Sell orders. While an order is PENDING, the part that is not sold (`listed - filled`) is frozen in the maker's account. */
export const p2pOrders = pgTable(
  'p2p_orders',
  {
    id: uuid('id').primaryKey(),
    makerId: uuid('maker_id')
      .notNull()
      .references(() => p2pTraders.userId),
    assetCurrency: text('asset_currency').notNull(),
    settlementCurrency: text('settlement_currency').notNull(),
    listedAmount: amount('listed_amount').notNull(),
    filledAmount: amount('filled_amount').notNull(),
    /** The smallest amount that can be bought, unless it is all that is left. */
    smallestFill: amount('smallest_fill').notNull(),
    pricePerCoin: rate('price_per_coin').notNull(),
    /** The fee in basis points of the gross settlement, paid by the seller; fixed when the order is listed. */
    feeBasisPoints: integer('fee_basis_points').notNull(),
    /** The distance of the whole order from the reference price when it was listed, in the settlement currency. */
    difference: amount('difference').notNull(),
    /** The sum that its fills have paid, and the part of it that was the fee. */
    grossSettled: amount('gross_settled').notNull(),
    feeSettled: amount('fee_settled').notNull(),
    status: text('status').$type<P2pStatus>().notNull(),
    end: text('end_reason').$type<P2pEnd>(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** When the mail about its coming end was enqueued; null before. */
    noticedAt: moment('noticed_at'),
    completedAt: moment('completed_at'),
    cancelledAt: moment('cancelled_at')
  },
  (table) => [
    index('p2p_orders_book')
      .on(table.assetCurrency, table.settlementCurrency, table.pricePerCoin, table.createdAt, table.id)
      .where(sql`status = 'PENDING'`),
    index('p2p_orders_expiry').on(table.expiresAt).where(sql`status = 'PENDING'`),
    index('p2p_orders_maker').on(table.makerId, table.createdAt),
    // What a customer's open orders may still trade away from the reference price: each purchase adds it up.
    index('p2p_orders_open').on(table.makerId, table.createdAt).where(sql`status = 'PENDING'`),
    unique('p2p_orders_of_maker').on(table.id, table.makerId),
    check('p2p_orders_status_known', oneOf(table.status, P2P_STATUSES)),
    check('p2p_orders_end_known', oneOf(table.end, P2P_ENDS))
  ]
)

/** As the indexes of open orders say it. */
export const isOpenOrder = eq(p2pOrders.status, literal('PENDING'))

export type P2pOrderRow = typeof p2pOrders.$inferSelect

/** Fills of orders. Never changed. */
export const p2pTrades = pgTable(
  'p2p_trades',
  {
    id: uuid('id').primaryKey(),
    orderId: uuid('order_id').notNull(),
    /** The order's maker, by a foreign key over both columns; with a key to the trader, all fills of a maker would contend for one row. */
    makerId: uuid('maker_id').notNull(),
    takerId: uuid('taker_id')
      .notNull()
      .references(() => p2pTraders.userId),
    amount: amount('amount').notNull(),
    gross: amount('gross').notNull(),
    fee: amount('fee').notNull(),
    /** The distance of the trade from the reference price, in the settlement currency. */
    difference: amount('difference').notNull(),
    tradedAt: moment('traded_at').notNull()
  },
  (table) => [
    foreignKey({
      name: 'p2p_trades_of_order',
      columns: [table.orderId, table.makerId],
      foreignColumns: [p2pOrders.id, p2pOrders.makerId]
    }),
    index('p2p_trades_order').on(table.orderId),
    index('p2p_trades_maker').on(table.makerId, table.tradedAt),
    index('p2p_trades_taker').on(table.takerId, table.tradedAt),
    // For the market: its prices by day, and the last trades.
    index('p2p_trades_traded').on(table.tradedAt, table.id)
  ]
)

export type P2pTradeRow = typeof p2pTrades.$inferSelect
