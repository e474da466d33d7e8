/** The prices and the euro rate of each UTC day: one row a day, written once and never changed. */
import { date, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, rate } from '../platform/db/columns.ts'

export const dailyPrices = pgTable(
  'daily_prices',
  {
    currency: text('currency').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    priceUsd: rate('price_usd').notNull(),
    source: text('source').notNull(),
    quotedAt: moment('quoted_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.currency, table.day] })]
)

export const dailyRates = pgTable('daily_rates', {
  day: date('day', { mode: 'string' }).primaryKey(),
  eurPerUsd: rate('eur_per_usd').notNull(),
  source: text('source').notNull(),
  quotedAt: moment('quoted_at').notNull()
})
