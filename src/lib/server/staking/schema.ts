import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { PayoutKind } from '#lib/domain/staking/schedule.ts'
import { users } from '../access/schema.ts'
import { orders } from '../orders/schema.ts'
import { amount, moment } from '../platform/db/columns.ts'

/** Tokens locked by a completed order. */
export const stakes = pgTable(
  'stakes',
  {
    orderId: text('order_id')
      .primaryKey()
      .references(() => orders.id),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    currency: text('currency').notNull(),
    units: amount('units').notNull(),
    months: smallint('months').notNull(),
    rateHundredths: integer('rate_hundredths').notNull(),
    startsAt: moment('starts_at').notNull(),
    endsAt: moment('ends_at').notNull()
  },
  (table) => [
    index('stakes_user').on(table.userId),
    check(
      'stakes_amounts',
      sql`${table.units} > 0 and ${table.months} > 0 and ${table.rateHundredths} >= 0 and ${table.endsAt} > ${table.startsAt}`
    )
  ]
)

/**
 * The payouts of an order, stored when it completes: its rewards, its staked tokens at the end, its bonus. Each is paid once or cancelled
 * once; nothing else of it ever changes.
 */
export const payouts = pgTable(
  'payouts',
  {
    orderId: text('order_id')
      .notNull()
      .references(() => orders.id),
    kind: text('kind').$type<PayoutKind>().notNull(),
    /** From 1 within its kind. */
    number: smallint('number').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    currency: text('currency').notNull(),
    units: amount('units').notNull(),
    dueAt: moment('due_at').notNull(),
    paidAt: moment('paid_at'),
    /** Set by an operator, e.g. because the payment of the order was taken back. */
    cancelledAt: moment('cancelled_at')
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.kind, table.number] }),
    index('payouts_due')
      .on(table.currency, table.kind, table.dueAt, table.orderId, table.number)
      .where(sql`paid_at is null and cancelled_at is null`),
    index('payouts_user').on(table.userId, table.dueAt),
    index('payouts_user_open').on(table.userId, table.dueAt).where(sql`paid_at is null and cancelled_at is null`)
  ]
)

/**
 * The sums of a customer's stakes and payouts, so that the page of a customer with ten thousand stakes adds nothing up. The database
 * updates them (the functions `sum_…`) with every change of `stakes` and `payouts`; `npm run ledger:verify` compares.
 */
export const stakeSums = pgTable(
  'stake_sums',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    currency: text('currency').notNull(),
    /** Packages with staking that are completed, and their price without the fee. */
    orders: integer('orders').notNull().default(0),
    fiatCents: amount('fiat_cents').notNull().default(sql`0`),
    /** Staked tokens that are still to be returned. */
    stakedUnits: amount('staked_units').notNull().default(sql`0`),
    /** Units and number of the rewards that are paid, and the number of all rewards that are not cancelled. */
    paidUnits: amount('paid_units').notNull().default(sql`0`),
    paidCount: integer('paid_count').notNull().default(0),
    plannedCount: integer('planned_count').notNull().default(0)
  },
  (table) => [primaryKey({ columns: [table.userId, table.currency] })]
)

/** The private link of a customer's reward calendar. */
export const rewardFeeds = pgTable('reward_feeds', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  tokenHash: text('token_hash').notNull().unique(),
  createdAt: moment('created_at').notNull()
})

export type PayoutRow = typeof payouts.$inferSelect
