/** Customers and how they sign in: codes, sessions, passkeys, second factor. */
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
  text,
  unique,
  uuid
} from 'drizzle-orm/pg-core'
import type { DisplayCurrency, MutableGroup } from '#lib/domain/access/settings.ts'
import type { TermsVersions } from '#lib/domain/legal/terms.ts'
import type { Locale } from '#lib/messages/locale.ts'
import { moment, rowId } from '../platform/db/columns.ts'

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
    /** Time of the last password change. Mail links from before it have no effect. */
    passwordChangedAt: moment('password_changed_at'),
    withdrawalsRestUntil: moment('withdrawals_rest_until'),
    /** Time at which the owner reported a sign-in as somebody else's; a new password clears it. */
    lockedAt: moment('locked_at'),
    /** The previous address and when it was replaced. For three days a link in a mail to it can restore it. */
    formerEmail: text('former_email'),
    emailChangedAt: moment('email_changed_at'),
    /** The authenticator's secret, encrypted; `totpPending` holds a new one until its first code is entered. */
    totpSecret: text('totp_secret'),
    totpPending: text('totp_pending'),
    totpEnabledAt: moment('totp_enabled_at'),
    /** The 30 s step of the last accepted code, so that no code is accepted twice. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }).notNull().default(0),
    /** The language of mails and documents. */
    locale: text('locale').$type<Locale>().notNull().default('en'),
    /** The currency that values are shown in. */
    displayCurrency: text('display_currency').$type<DisplayCurrency>().notNull().default('USD'),
    /** IANA name, e.g. `Europe/Vienna`; null: that of the device. */
    timeZone: text('time_zone'),
    /** The groups of notices that the customer does not get by mail. */
    mutedMails: jsonb('muted_mails').$type<MutableGroup[]>().notNull().default([]),
    /** The newest notice that the customer has seen. */
    seenNotice: bigint('seen_notice', { mode: 'bigint' }).notNull().default(sql`0`),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull()
  },
  (table) => [
    index('users_referred_by').on(table.referredBy, table.createdAt),
    check('users_not_referred_by_themselves', sql`${table.referredBy} <> ${table.id}`)
  ]
)

/** The data of a sign-up. It becomes a user when its code is confirmed. */
export type Registration = {
  passwordHash: string
  phone: string
  referralCode: string | undefined
  /** The versions of the terms shown beside the sign-up button. */
  acceptedTerms?: TermsVersions
}

export type CodePurpose = 'sign_up' | 'sign_in' | 'reset_password' | 'reauthenticate' | 'leave_email' | 'take_email'

/** The versions of our terms that a customer accepted, and when: at sign-up, or later when they changed. Never changed or deleted. */
export const termsAcceptances = pgTable(
  'terms_acceptances',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The name of the text, e.g. `terms-of-service`. */
    document: text('document').notNull(),
    version: text('version').notNull(),
    acceptedAt: moment('accepted_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.userId, table.document, table.version] })]
)

/**
 * One valid code for a purpose, an address and a browser, stored even if the address has no account. `holder` is the
 * hash of the browser's cookie: the browser that asked for a code has its own tries, all others share
 * `strangerTriesLeft`.
 */
export const codes = pgTable(
  'codes',
  {
    purpose: text('purpose').$type<CodePurpose>().notNull(),
    email: text('email').notNull(),
    holder: text('holder').notNull().default(''),
    /** The network address that asked for it, in the form that rate limits use. */
    askedFrom: text('asked_from').notNull().default(''),
    codeHash: text('code_hash').notNull(),
    triesLeft: integer('tries_left').notNull(),
    strangerTriesLeft: integer('stranger_tries_left').notNull().default(5),
    registration: jsonb('registration').$type<Registration>(),
    /** Binds a code to more than its purpose: e.g. the code sent to the old address to the new address that it confirms. */
    boundTo: text('bound_to').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.purpose, table.email, table.holder] })]
)

/** Browsers in which a customer has signed in. They have their own rate limits, which strangers cannot use up. */
export const knownDevices = pgTable(
  'known_devices',
  {
    /** Hash of the browser's cookie. */
    holder: text('holder').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    seenAt: moment('seen_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.holder, table.userId] }), index('known_devices_user').on(table.userId)]
)

/** A hold blocks a customer's withdrawals until an operator has reviewed it. */
export const withdrawalHolds = pgTable(
  'withdrawal_holds',
  {
    id: rowId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    reason: text('reason').$type<'payment_returned' | 'deposit_reverted' | 'staff' | 'screening'>().notNull(),
    sourceType: text('source_type').notNull(),
    sourceId: text('source_id').notNull(),
    createdAt: moment('created_at').notNull(),
    /** Of a hold by staff: what the customer reads, and when it ends by itself. */
    why: text('why'),
    endsAt: moment('ends_at'),
    releasedAt: moment('released_at')
  },
  (table) => [
    index('withdrawal_holds_user').on(table.userId),
    unique('withdrawal_holds_source').on(table.sourceType, table.sourceId)
  ]
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
    /** When its tokens were last renewed; null before the first refresh. */
    lastSeenAt: moment('last_seen_at'),
    /** When the customer last proved their identity in this session. */
    provedAt: moment('proved_at'),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
    /** True after a sign-in by a plain form: the next page makes the session's token pair, once. */
    pairDue: boolean('pair_due').notNull().default(false)
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
 * An open challenge of a passkey, or the ticket of a sign-in that still lacks its second factor. Stored as a hash; answering
 * uses it up.
 */
export const challenges = pgTable('challenges', {
  hash: text('hash').primaryKey(),
  purpose: text('purpose').$type<'second_factor' | 'passkey_sign_in' | 'passkey_add' | 'passkey_reauthenticate'>().notNull(),
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

/** One use each; stored as a keyed hash. */
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
