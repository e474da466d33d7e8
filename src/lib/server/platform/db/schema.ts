/** The tables, without those of the ledger. Amounts are numeric(78,0) in smallest units. */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import type { ReviewStatus } from '#lib/domain/identity/check.ts'
import type { UnmatchedReason } from '#lib/domain/orders/order.ts'
import { amount, moment, rate, rowId } from './columns.ts'

export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    email: text('email').notNull().unique(),
    passwordHash: text('password_hash').notNull(),
    phone: text('phone').notNull(),
    name: text('name'),
    referralCode: text('referral_code').notNull().unique(),
    /** Set once, with the account: a trigger refuses every change. */
    referredBy: uuid('referred_by').references((): AnyPgColumn => users.id),
    /** Of the last new password: what was told before it is told no more. */
    passwordChangedAt: moment('password_changed_at'),
    withdrawalsRestUntil: moment('withdrawals_rest_until'),
    /** The owner said of a sign-in that it was somebody else; a new password ends it. */
    withdrawalsLockedAt: moment('withdrawals_locked_at'),
    /** The address that the account left last, and when: for three days a link of a mail to it brings it back. */
    formerEmail: text('former_email'),
    emailChangedAt: moment('email_changed_at'),
    /** The authenticator's secret, sealed; `pending` until its first code was entered. */
    totpSecret: text('totp_secret'),
    totpPending: text('totp_pending'),
    /** The 30 s step of the last code that was taken: none is taken twice. */
    totpEnabledAt: moment('totp_enabled_at'),
    totpLastStep: bigint('totp_last_step', { mode: 'number' }).notNull().default(0),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull()
  },
  (table) => [
    index('users_referred_by').on(table.referredBy, table.createdAt),
    check('users_not_referred_by_themselves', sql`${table.referredBy} <> ${table.id}`)
  ]
)

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

export type CodePurpose = 'sign_up' | 'sign_in' | 'reset_password' | 'confirm' | 'leave_email' | 'take_email'

/** One live code for a purpose and an address; a row is made whether or not the address has an account. */
export const codes = pgTable(
  'codes',
  {
    purpose: text('purpose').$type<CodePurpose>().notNull(),
    email: text('email').notNull(),
    codeHash: text('code_hash').notNull(),
    triesLeft: integer('tries_left').notNull(),
    registration: jsonb('registration').$type<Registration>(),
    /** What a code is for beyond its purpose, e.g. the new address that the owner of the old one agrees to. */
    boundTo: text('bound_to').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.purpose, table.email] })]
)

export type SignInMethod = 'sign_up' | 'otp' | 'password' | 'passkey'

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
    method: text('method').$type<SignInMethod>().notNull().default('otp'),
    createdAt: moment('created_at').notNull(),
    /** Of the last time that its tokens were made; null before the first refresh. */
    lastSeenAt: moment('last_seen_at'),
    /** When its holder last proved who they are. */
    confirmedAt: moment('confirmed_at'),
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

/**
 * Something that waits for its answer: the challenge of a passkey, or a sign-in that waits for its second factor. Used
 * up by the answer, kept as a hash.
 */
export const challenges = pgTable('challenges', {
  hash: text('hash').primaryKey(),
  purpose: text('purpose').$type<'second_factor' | 'passkey_sign_in' | 'passkey_add' | 'passkey_confirm'>().notNull(),
  userId: uuid('user_id').references(() => users.id),
  method: text('method').$type<SignInMethod>(),
  triesLeft: integer('tries_left').notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull()
})

export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's own id, base64url. */
    id: text('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: jsonb('transports').$type<string[]>().notNull(),
    isSynced: boolean('is_synced').notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at')
  },
  (table) => [index('passkeys_user').on(table.userId)]
)

/** One use each, kept as a keyed hash. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    codeHash: text('code_hash').notNull(),
    usedAt: moment('used_at')
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })]
)

/** What is kept of a passed identity check: no more than the profile shows, document numbers masked. */
export type IdentityInfo = {
  firstName?: string
  lastName?: string
  dob?: string
  country?: string
  idDocs?: { idDocType: string; number?: string; validUntil?: string }[]
}

export const identityChecks = pgTable('identity_checks', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  applicantId: text('applicant_id').notNull(),
  reviewStatus: text('review_status').$type<ReviewStatus>().notNull(),
  info: jsonb('info').$type<IdentityInfo>(),
  /** When the provider says that this status came about: an older event changes nothing. */
  statusAt: moment('status_at').notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull()
})

/** Every event of the provider that was taken, by the digest of what it sent: the same is refused a second time. */
export const identityEvents = pgTable(
  'identity_events',
  {
    digest: text('digest').primaryKey(),
    userId: uuid('user_id').references(() => users.id),
    type: text('type').notNull(),
    outcome: text('outcome').$type<'applied' | 'older' | 'unknown_customer'>().notNull(),
    occurredAt: moment('occurred_at').notNull(),
    receivedAt: moment('received_at').notNull()
  },
  (table) => [index('identity_events_user').on(table.userId)]
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
