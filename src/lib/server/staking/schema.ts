import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
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
  (table) => [index('stakes_user').on(table.userId)]
)

/** What an order pays and when, written down when it completes: its rewards, its staked tokens at the end, its bonus. It is paid once, or cancelled once; nothing else of it ever changes. */
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
    /** By an operator, e.g. because the payment of the order was taken back. */
    cancelledAt: moment('cancelled_at')
  },
  (table) => [
    primaryKey({ columns: [table.orderId, table.kind, table.number] }),
    index('payouts_due')
      .on(table.currency, table.kind, table.dueAt, table.orderId, table.number)
      .where(sql`paid_at is null and cancelled_at is null`),
    index('payouts_user').on(table.userId, table.dueAt)
  ]
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
