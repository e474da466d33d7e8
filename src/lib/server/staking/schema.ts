import { index, integer, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
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
