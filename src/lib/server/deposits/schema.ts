import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Chain, ChainToken } from '#lib/domain/chains/chains.ts'
import type { PartyDetails } from '#lib/domain/chains/parties.ts'
import { DEPOSIT_NOTES, DEPOSIT_STATUSES, type DepositNote, type DepositStatus } from '#lib/domain/deposits/deposit.ts'
import { users } from '../access/schema.ts'
import { chainAddresses } from '../chains/schema.ts'
import { amount, moment, oneOf, rowId } from '../platform/db/columns.ts'

/** Payments to our addresses, one row for each block that a payment was in: after a reorganisation there may be a second one. */
export const deposits = pgTable(
  'deposits',
  {
    id: rowId(),
    /** Null: it came to one of our own wallets, or to an address that no customer had. */
    userId: uuid('user_id').references(() => users.id),
    addressId: bigint('address_id', { mode: 'bigint' })
      .notNull()
      .references(() => chainAddresses.id),
    chain: text('chain').$type<Chain>().notNull(),
    /** A token's code, or the contract of an unknown token. */
    currency: text('currency').notNull(),
    amount: amount('amount').notNull(),
    transactionId: text('transaction_id').notNull(),
    /** Identifies the payment within its transaction. */
    paymentIndex: text('payment_index').notNull(),
    blockHash: text('block_hash').notNull(),
    blockHeight: integer('block_height').notNull(),
    /** Newly mined coins: credited once the chain has this height. */
    maturesAt: integer('matures_at'),
    status: text('status').$type<DepositStatus>().notNull(),
    note: text('note').$type<DepositNote>(),
    /** Its value on the day when it was credited; null where no price was kept. */
    euroCents: amount('euro_cents'),
    /** The sender as it was named last, asked for if it is worth more than EUR 1,000. */
    details: jsonb('details').$type<PartyDetails>(),
    seenAt: moment('seen_at').notNull(),
    /** When it was booked, to the customer or to one of our own accounts. */
    bookedAt: moment('booked_at'),
    /** When its block was removed by a reorganisation. */
    revertedAt: moment('reverted_at')
  },
  (table) => [
    // A removed block may come back with all its payments: rows that were taken back do not count.
    uniqueIndex('deposits_once')
      .on(table.chain, table.blockHash, table.transactionId, table.paymentIndex)
      .where(sql`reverted_at is null`),
    index('deposits_user').on(table.userId, table.id),
    index('deposits_transaction').on(table.chain, table.transactionId),
    index('deposits_height').on(table.chain, table.blockHeight),
    // Few: what came to addresses without the signer's signature.
    index('deposits_unproven').on(table.currency).where(sql`note = 'unproven'`),
    index('deposits_due').on(table.chain, table.blockHeight).where(sql`booked_at is null and reverted_at is null`),
    index('deposits_address').on(table.addressId),
    check('deposits_amounts', sql`${table.amount} > 0 and ${table.blockHeight} >= 0 and ${table.euroCents} >= 0`),
    check('deposits_status_known', oneOf(table.status, DEPOSIT_STATUSES)),
    check('deposits_note_known', oneOf(table.note, DEPOSIT_NOTES))
  ]
)

export type DepositRow = typeof deposits.$inferSelect

/** What a customer said about the sender of a deposit, each time: kept as evidence, never changed. */
export const depositDetails = pgTable(
  'deposit_details',
  {
    id: rowId(),
    depositId: bigint('deposit_id', { mode: 'bigint' })
      .notNull()
      .references(() => deposits.id),
    details: jsonb('details').$type<PartyDetails>().notNull(),
    givenAt: moment('given_at').notNull()
  },
  (table) => [index('deposit_details_deposit').on(table.depositId)]
)

/**
 * Coins at our addresses that no block shows as a payment, e.g. ether that a block's maker earned. One is found by comparing coins and
 * books, waits for as many blocks as a deposit, and is then booked to `suspense`.
 */
export const coinSurpluses = pgTable(
  'coin_surpluses',
  {
    id: rowId(),
    chain: text('chain').$type<Chain>().notNull(),
    currency: text('currency').$type<ChainToken>().notNull(),
    /** The least that was found since; booked once the block is deep enough. */
    amount: amount('amount').notNull(),
    /** The block as of which it was first found. */
    blockHeight: integer('block_height').notNull(),
    blockHash: text('block_hash').notNull(),
    foundAt: moment('found_at').notNull(),
    bookedAt: moment('booked_at'),
    /** The part that is not known to be a deposit yet. */
    rest: amount('rest').notNull(),
    /** The part about which an operator decided: a deposit that turns out to be it is not credited again. */
    decided: amount('decided').notNull().default(sql`0`)
  },
  (table) => [
    uniqueIndex('coin_surpluses_waiting').on(table.chain, table.currency).where(sql`booked_at is null`),
    index('coin_surpluses_rest').on(table.currency, table.blockHeight).where(sql`rest > 0`),
    check('coin_surpluses_amounts', sql`${table.amount} > 0 and ${table.rest} >= 0 and ${table.rest} <= ${table.amount}`)
  ]
)

/** What operators decided about coins in `suspense`. Never changed. */
export const suspenseDecisions = pgTable(
  'suspense_decisions',
  {
    id: rowId(),
    kind: text('kind').$type<'deposit' | 'surplus'>().notNull(),
    /** The id of the deposit or of the surplus. */
    suspendedId: bigint('suspended_id', { mode: 'bigint' }).notNull(),
    /** The customer who got them; null: we keep them. */
    userId: uuid('user_id').references(() => users.id),
    actor: text('actor').notNull(),
    why: text('why').notNull(),
    decidedAt: moment('decided_at').notNull()
  },
  (table) => [uniqueIndex('suspense_decisions_once').on(table.kind, table.suspendedId)]
)

/** Debts of customers who had already spent a deposit that a reorganisation took back. */
export const depositDebts = pgTable(
  'deposit_debts',
  {
    id: rowId(),
    depositId: bigint('deposit_id', { mode: 'bigint' })
      .notNull()
      .references(() => deposits.id)
      .unique('deposit_debts_deposit'),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    currency: text('currency').notNull(),
    /** The part that is not paid yet. */
    owed: amount('owed').notNull(),
    createdAt: moment('created_at').notNull()
  },
  (table) => [
    index('deposit_debts_open').on(table.userId, table.currency).where(sql`owed > 0`),
    check('deposit_debts_amounts', sql`${table.owed} >= 0`)
  ]
)
