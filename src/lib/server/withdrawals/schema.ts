import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, unique, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { type Chain, type ChainToken, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import type { PartyDetails } from '#lib/domain/chains/parties.ts'
import { WAIT_REASONS, type WaitReason, WITHDRAWAL_STATES, type WithdrawalState } from '#lib/domain/withdrawals/withdrawal.ts'
import { users } from '../access/schema.ts'
import { amount, moment, oneOf, rowId } from '../platform/db/columns.ts'
import type { PasskeyAnswer } from '../staff/schema.ts'

/** Addresses that a customer withdraws to: their address book. */
export const withdrawalAddresses = pgTable(
  'withdrawal_addresses',
  {
    id: rowId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    chain: text('chain').$type<Chain>().notNull(),
    address: text('address').notNull(),
    /** CPC: the account's public key. */
    publicKey: text('public_key'),
    name: text('name').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    /** When the customer confirmed it by the link of a mail. */
    confirmedAt: moment('confirmed_at'),
    /** When its place on the whitelist begins to count; null: not on it. */
    listedFrom: moment('listed_from'),
    removedAt: moment('removed_at')
  },
  (table) => [
    unique('withdrawal_addresses_once').on(table.userId, table.chain, table.address),
    index('withdrawal_addresses_address').on(table.address, table.chain)
  ]
)

/** Customers' whitelists: while one is on, the customer withdraws only to addresses on it. */
export const withdrawalWhitelists = pgTable('withdrawal_whitelists', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  isOn: boolean('is_on').notNull(),
  /** When the whitelist ends after being switched off. */
  endsAt: moment('ends_at')
})

export const withdrawals = pgTable(
  'withdrawals',
  {
    /** Also the id of its send on the chain. */
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    chain: text('chain').$type<Chain>().notNull(),
    currency: text('currency').$type<ChainToken>().notNull(),
    /** Our fee included. */
    amount: amount('amount').notNull(),
    fee: amount('fee').notNull(),
    addressId: bigint('address_id', { mode: 'bigint' })
      .notNull()
      .references(() => withdrawalAddresses.id),
    /** The address as it was requested; the signer compares with it. */
    receiver: text('receiver').notNull(),
    /** The parts of the amount by the account that they came from, and go back to. */
    fromSpot: amount('from_spot').notNull(),
    fromFunding: amount('from_funding').notNull(),
    /** Its value when it was requested. */
    usdCents: amount('usd_cents').notNull(),
    euroCents: amount('euro_cents').notNull(),
    details: jsonb('details').$type<PartyDetails>(),
    state: text('state').$type<WithdrawalState>().notNull(),
    /** Why an approved withdrawal is not signed yet. */
    waits: text('waits').$type<WaitReason>(),
    transactionId: text('transaction_id'),
    requestedAt: moment('requested_at').notNull(),
    approvedAt: moment('approved_at'),
    /** When the signer last looked at it. The longest ago comes first, so that one that waits does not hold up the others. */
    lookedAt: moment('looked_at'),
    signedAt: moment('signed_at'),
    /** When the customer asked to cancel it while the chain showed something that nobody could explain. */
    cancelAskedAt: moment('cancel_asked_at'),
    /** When the signer answered that it has not signed it and will not: it may be given back. */
    cancelClearedAt: moment('cancel_cleared_at'),
    /** When it was confirmed, cancelled, rejected or given back. */
    endedAt: moment('ended_at')
  },
  (table) => [
    index('withdrawals_user').on(table.userId, table.requestedAt),
    index('withdrawals_open')
      .on(table.chain, table.state, table.requestedAt)
      .where(sql`state in ('unconfirmed', 'review', 'approved', 'signed')`),
    index('withdrawals_address').on(table.addressId),
    index('withdrawals_newest').on(table.requestedAt),
    check(
      'withdrawals_amounts',
      sql`${table.fee} >= 0 and ${table.amount} > ${table.fee} and ${table.fromSpot} >= 0 and ${table.fromFunding} >= 0 and ${table.fromSpot} + ${table.fromFunding} = ${table.amount} and ${table.usdCents} >= 0 and ${table.euroCents} >= 0`
    ),
    check('withdrawals_state_known', oneOf(table.state, WITHDRAWAL_STATES)),
    check('withdrawals_waits_known', oneOf(table.waits, WAIT_REASONS))
  ]
)

export type WithdrawalRow = typeof withdrawals.$inferSelect

/** Who decided what about a withdrawal, and why. Never changed. */
export const withdrawalDecisions = pgTable(
  'withdrawal_decisions',
  {
    id: rowId(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    decision: text('decision').$type<'confirmed' | 'approved' | 'rejected' | 'cancelled'>().notNull(),
    actor: text('actor').notNull(),
    why: text('why').notNull(),
    /** An approval's signature by the operator's own key; `approvalText` is what it signs. */
    signature: text('signature'),
    /** An approval's answer of a passkey; `challengeOfApproval` is what it signs. */
    passkey: jsonb('passkey').$type<PasskeyAnswer>(),
    /** Of an approval: how many persons it took when it was made. */
    wanted: integer('wanted'),
    decidedAt: moment('decided_at').notNull()
  },
  (table) => [index('withdrawal_decisions_withdrawal').on(table.withdrawalId)]
)

/** Coins out of `suspense` on their way back to whoever sent them, as an operator has signed it. Never changed. */
export const suspenseReturns = pgTable('suspense_returns', {
  /** Of the payment too. */
  id: uuid('id').primaryKey(),
  chain: text('chain').$type<Chain>().notNull(),
  currency: text('currency').$type<ChainToken>().notNull(),
  receiver: text('receiver').notNull(),
  /** What leaves `suspense`; the receiver gets it less the fee. */
  amount: amount('amount').notNull(),
  fee: amount('fee').notNull(),
  actor: text('actor').notNull(),
  why: text('why').notNull(),
  signature: text('signature').notNull(),
  orderedAt: moment('ordered_at').notNull(),
  /** Which coins, e.g. `deposit:12`; null before release 10. */
  suspended: text('suspended')
})

/** The second person who signed the same order: nothing is paid without them. */
export const suspenseReturnSeconds = pgTable('suspense_return_seconds', {
  returnId: uuid('return_id')
    .primaryKey()
    .references(() => suspenseReturns.id),
  actor: text('actor').notNull(),
  why: text('why').notNull(),
  signature: text('signature').notNull(),
  signedAt: moment('signed_at').notNull()
})

/** What the last comparison of coins and books has found, a row a token. */
export const custodyLines = pgTable('custody_lines', {
  currency: text('currency').$type<ChainToken>().primaryKey(),
  height: integer('height').notNull(),
  /** At our addresses, as the node shows it; what should be there by the books; and the parts of it that are hot and cold. */
  onChain: amount('on_chain').notNull(),
  expected: amount('expected').notNull(),
  hot: amount('hot').notNull(),
  cold: amount('cold').notNull(),
  claims: amount('claims').notNull(),
  owed: amount('owed').notNull(),
  /** What the hot wallet is worth in USD cents; null without a price. */
  usdCents: bigint('usd_cents', { mode: 'bigint' }),
  /** The settings of that moment: what stays hot in any case, and USD cents above which coins are moved to cold storage. */
  floor: amount('floor').notNull(),
  ceilingCents: bigint('ceiling_cents', { mode: 'bigint' }).notNull(),
  comparedAt: moment('compared_at').notNull()
})

/** Coins that two persons want in cold storage. The signer moves them, as far as its own limits allow it. Never changed. */
export const coldOrders = pgTable(
  'cold_orders',
  {
    /** Its payment has an id that follows from this one, so that it is made once. */
    id: uuid('id').primaryKey(),
    currency: text('currency').$type<ChainToken>().notNull(),
    amount: amount('amount').notNull(),
    decidedBy: text('decided_by').notNull(),
    approvedBy: text('approved_by').notNull(),
    why: text('why').notNull(),
    orderedAt: moment('ordered_at').notNull()
  },
  (table) => [
    index('cold_orders_newest').on(table.orderedAt),
    check('cold_orders_two', sql`${table.decidedBy} <> ${table.approvedBy}`),
    check('cold_orders_amount', sql`${table.amount} > 0 and ${table.amount} < 1e30`),
    check('cold_orders_currency', oneOf(table.currency, DEPOSITABLE))
  ]
)

/**
 * Coins out of cold storage for the hot wallet: decided by two persons, agreed to by a third, written into a file by the worker, signed outside,
 * uploaded, checked and broadcast.
 */
export const refillOrders = pgTable(
  'refill_orders',
  {
    id: uuid('id').primaryKey(),
    currency: text('currency').$type<ChainToken>().notNull(),
    amount: amount('amount').notNull(),
    decidedBy: text('decided_by').notNull(),
    approvedBy: text('approved_by').notNull(),
    why: text('why').notNull(),
    orderedAt: moment('ordered_at').notNull(),
    agreedBy: text('agreed_by'),
    agreedAt: moment('agreed_at'),
    /** The transaction to sign, base64, and where it pays to and from, as the offline machine must show it. */
    file: text('file'),
    fileName: text('file_name'),
    pays: jsonb('pays').$type<string[]>(),
    writtenAt: moment('written_at'),
    /** What came back from the offline machine, base64. */
    signed: text('signed'),
    signedBy: text('signed_by'),
    signedAt: moment('signed_at'),
    /** Why the file could not be written, or what came back was not accepted. */
    refusal: text('refusal'),
    transactionId: text('transaction_id').unique('refill_orders_once'),
    endedAt: moment('ended_at')
  },
  (table) => [
    index('refill_orders_newest').on(table.orderedAt),
    check(
      'refill_orders_three',
      sql`${table.decidedBy} <> ${table.approvedBy} and (${table.agreedBy} is null or ${table.agreedBy} not in (${table.decidedBy}, ${table.approvedBy}))`
    ),
    check('refill_orders_amount', sql`${table.amount} > 0 and ${table.amount} < 1e30`),
    check('refill_orders_currency', oneOf(table.currency, DEPOSITABLE))
  ]
)

const REQUEST_STATES = ['open', 'raised', 'refused'] as const

/** A customer asks for a higher limit; staff answer until `dueAt`. */
export const limitRequests = pgTable(
  'limit_requests',
  {
    id: rowId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** USD cents in 24 hours. */
    askedCents: bigint('asked_cents', { mode: 'bigint' }).notNull(),
    why: text('why').notNull(),
    askedAt: moment('asked_at').notNull(),
    dueAt: moment('due_at').notNull(),
    state: text('state').$type<(typeof REQUEST_STATES)[number]>().notNull(),
    decidedAt: moment('decided_at'),
    decidedBy: text('decided_by'),
    approvedBy: text('approved_by'),
    /** What the customer reads. */
    answer: text('answer')
  },
  (table) => [
    index('limit_requests_user').on(table.userId, table.id),
    uniqueIndex('limit_requests_one_open').on(table.userId).where(sql`state = 'open'`),
    check('limit_requests_state_known', oneOf(table.state, REQUEST_STATES)),
    check(
      'limit_requests_two',
      sql`${table.state} <> 'raised' or (${table.approvedBy} is not null and ${table.approvedBy} <> ${table.decidedBy})`
    )
  ]
)

/** Limits of single customers. Written by the desk alone; the signer believes none of them. */
export const withdrawalLimits = pgTable(
  'withdrawal_limits',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    dayCents: bigint('day_cents', { mode: 'bigint' }).notNull(),
    endsAt: moment('ends_at').notNull(),
    requestId: bigint('request_id', { mode: 'bigint' })
      .notNull()
      .references(() => limitRequests.id),
    setAt: moment('set_at').notNull()
  },
  (table) => [check('withdrawal_limits_amount', sql`${table.dayCents} > 0`)]
)
