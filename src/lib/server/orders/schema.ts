import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { TermsVersions } from '#lib/domain/legal/terms.ts'
import type { UnfitPayment } from '#lib/domain/orders/order.ts'
import { users } from '../access/schema.ts'
import { amount, moment, rate } from '../platform/db/columns.ts'

export const orders = pgTable(
  'orders',
  {
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    configId: integer('config_id').notNull(),
    status: smallint('status').notNull().default(0),
    fiatCents: amount('fiat_cents').notNull(),
    feeCents: amount('fee_cents').notNull(),
    totalCents: amount('total_cents').notNull(),
    /** The fiat amount in EUR, 6 places. */
    euroValue: rate('euro_value').notNull(),
    euroCentsToPay: amount('euro_cents_to_pay').notNull(),
    eurPerUsd: rate('eur_per_usd').notNull(),
    eurPerUsdSource: text('eur_per_usd_source').notNull(),
    eurPerUsdAt: moment('eur_per_usd_at').notNull(),
    cpcPriceUsd: rate('cpc_price_usd').notNull(),
    ptcPriceUsd: rate('ptc_price_usd'),
    priceSource: text('price_source').notNull(),
    priceAt: moment('price_at').notNull(),
    /** Set when the payment was seen: from then on price and token amounts are final. */
    priceFixedAt: moment('price_fixed_at'),
    cpcUnits: amount('cpc_units').notNull(),
    ptcUnits: amount('ptc_units').notNull(),
    stakingMonths: smallint('staking_months').notNull(),
    stakingRateHundredths: integer('staking_rate_hundredths').notNull(),
    /** The bonus of a promotion package: its rate in hundredths of a percent of the PTC, and the resulting units. */
    bonusRateHundredths: integer('bonus_rate_hundredths').notNull().default(0),
    bonusUnits: amount('bonus_units').notNull().default(sql`0`),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    /** When the customer announced the transfer. */
    announcedAt: moment('announced_at'),
    /** The versions of the terms that the customer accepted for this order, and when. */
    acceptedTerms: jsonb('accepted_terms').$type<TermsVersions>(),
    termsAcceptedAt: moment('terms_accepted_at'),
    /** When the customer cancelled it. Not a status: an exact payment in time still completes it. */
    cancelledAt: moment('cancelled_at'),
    /** An undecided payment that does not fit the order. The feature payments keeps it up to date. */
    unfitPayment: jsonb('unfit_payment').$type<UnfitPayment>(),
    completedAt: moment('completed_at'),
    /** When its stake or its bonus begins: the day on which the bank booked the payment. */
    stakeStartsAt: moment('stake_starts_at'),
    /** When an operator ended the remaining payouts of its stake or bonus. The feature staking keeps it up to date. */
    payoutsEndedAt: moment('payouts_ended_at')
  },
  (table) => [
    index('orders_user_created').on(table.userId, table.createdAt),
    // For the list of stakes: by date, by amount, and the few that are open.
    index('orders_staked_created').on(table.userId, table.createdAt, table.id).where(sql`staking_months > 0`),
    index('orders_staked_amount').on(table.userId, table.fiatCents, table.createdAt, table.id).where(sql`staking_months > 0`),
    // The desk looks for orders that a payment may have meant by what they cost.
    index('orders_open_price').on(table.euroCentsToPay).where(sql`status < 2`),
    index('orders_staked_open').on(table.userId).where(sql`staking_months > 0 and status < 2`),
    check('orders_status_known', sql`${table.status} in (0, 1, 2)`),
    check(
      'orders_amounts',
      sql`${table.fiatCents} > 0 and ${table.feeCents} >= 0 and ${table.totalCents} > 0 and ${table.euroCentsToPay} > 0 and ${table.cpcUnits} >= 0 and ${table.ptcUnits} >= 0 and ${table.bonusUnits} >= 0 and ${table.stakingMonths} >= 0 and ${table.stakingRateHundredths} >= 0 and ${table.bonusRateHundredths} >= 0`
    )
  ]
)

/** Customers who entered the promo code. `codeHash` is of the code that they entered: changing the code locks the packages again. */
export const promoUnlocks = pgTable('promo_unlocks', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  codeHash: text('code_hash').notNull(),
  unlockedAt: moment('unlocked_at').notNull()
})
