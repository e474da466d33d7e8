/** The tables, without those of the ledger. Amounts are numeric(78,0) in smallest units. */
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { UnmatchedReason } from '../../domain/order.ts'
import { amount, moment, rate, rowId } from './columns.ts'

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  email: text('email').notNull().unique(),
  passwordHash: text('password_hash').notNull(),
  phone: text('phone').notNull(),
  name: text('name'),
  referralCode: text('referral_code').notNull().unique(),
  referredBy: uuid('referred_by'),
  withdrawalsRestUntil: moment('withdrawals_rest_until'),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull()
})

/** What a sign-up brought; it becomes a user when its code is confirmed. */
export type Registration = {
  passwordHash: string
  phone: string
  referralCode: string | undefined
  /** Of the cookie that the browser which sent it holds. */
  holderHash: string
  /** It took the place of another that was still alive: two may have sent one each. */
  isContested: boolean
}

/** One live code for a purpose and an address; a row is made whether or not the address has an account. */
export const codes = pgTable(
  'codes',
  {
    purpose: text('purpose').$type<'sign_up' | 'sign_in' | 'reset_password'>().notNull(),
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    triesLeft: integer('tries_left').notNull(),
    registration: jsonb('registration').$type<Registration>(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.purpose, table.email] })]
)

export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    cookieHash: text('cookie_hash').notNull().unique(),
    userAgent: text('user_agent').notNull(),
    address: text('address').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at')
  },
  (table) => [index('sessions_user').on(table.userId)]
)

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    hash: text('hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    createdAt: moment('created_at').notNull(),
    rotatedAt: moment('rotated_at')
  },
  (table) => [index('refresh_tokens_session').on(table.sessionId)]
)

export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetsAt: moment('resets_at').notNull()
})

export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answer: jsonb('answer'),
    createdAt: moment('created_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] })]
)

export type Mail = { to: string; subject: string; text: string; html: string }

/** Effects on the outside world, written with what caused them and carried out after the commit. */
export const outbox = pgTable(
  'outbox',
  {
    id: rowId(),
    mail: jsonb('mail').$type<Mail>(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at'),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
    lastError: text('last_error')
  },
  (table) => [index('outbox_due').on(table.dueAt)]
)

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
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
    completedAt: moment('completed_at')
  },
  (table) => [
    index('orders_user_created').on(table.userId, table.createdAt),
    check('orders_status_known', sql`${table.status} in (0, 1, 2)`)
  ]
)

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

/** Every entry of the bank's statement, matched to an order or kept with the reason why not. */
export const payments = pgTable(
  'payments',
  {
    id: rowId(),
    bankEntryId: text('bank_entry_id').notNull().unique('payments_bank_entry'),
    amountCents: amount('amount_cents').notNull(),
    currency: text('currency').notNull(),
    remittance: text('remittance').notNull(),
    payerName: text('payer_name').notNull(),
    payerIban: text('payer_iban').notNull(),
    outcome: text('outcome').$type<'matched' | UnmatchedReason>().notNull(),
    orderId: text('order_id').references(() => orders.id),
    receivedAt: moment('received_at').notNull()
  },
  (table) => [
    index('payments_order').on(table.orderId),
    // An order is paid by one payment only.
    uniqueIndex('payments_one_match').on(table.orderId).where(sql`${table.outcome} = 'matched'`)
  ]
)

/** The sandbox's mailbox; empty in production. */
export const sandboxMails = pgTable('sandbox_mails', {
  id: rowId(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  html: text('html').notNull().default(''),
  createdAt: moment('created_at').notNull()
})
