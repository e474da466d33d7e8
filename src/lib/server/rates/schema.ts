/** The prices and the euro rate of each UTC day: one row a day, written once and never changed. */
import { sql } from 'drizzle-orm'
import { date, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Doubt } from '#lib/domain/rates/doubt.ts'
import { moment, rate, rowId } from '../platform/db/columns.ts'

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

/** The price of each token that was used last. Kept only for tokens whose price decides about money. */
export const acceptedPrices = pgTable('accepted_prices', {
  currency: text('currency').primaryKey(),
  priceUsd: rate('price_usd').notNull(),
  source: text('source').notNull(),
  quotedAt: moment('quoted_at').notNull()
})

/** Prices that are not used until an operator confirms them. A doubt ends by itself when the price comes back. */
export const priceDoubts = pgTable(
  'price_doubts',
  {
    id: rowId(),
    currency: text('currency').notNull(),
    reason: text('reason').$type<Doubt>().notNull(),
    /** The newest price that is in doubt, and the one that is used meanwhile. */
    priceUsd: rate('price_usd').notNull(),
    usedUsd: rate('used_usd').notNull(),
    foundAt: moment('found_at').notNull(),
    endedAt: moment('ended_at'),
    /** Who confirmed the price and why; null: it came back by itself. */
    actor: text('actor'),
    why: text('why')
  },
  (table) => [uniqueIndex('price_doubts_open').on(table.currency).where(sql`ended_at is null`)]
)
