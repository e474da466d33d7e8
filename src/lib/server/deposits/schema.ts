import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { PartyDetails } from '#lib/domain/chains/parties.ts'
import { DEPOSIT_NOTES, DEPOSIT_STATUSES, type DepositNote, type DepositStatus } from '#lib/domain/deposits/deposit.ts'
import { users } from '../access/schema.ts'
import { chainAddresses } from '../chains/schema.ts'
import { amount, moment, oneOf, rowId } from '../platform/db/columns.ts'

/** What came to an address of ours, one row for each block that it was in: after a reorganisation there is a second one. */
export const deposits = pgTable(
  'deposits',
  {
    id: rowId(),
    /** Null: it came to an address of the house, or to one that nobody had. */
    userId: uuid('user_id').references(() => users.id),
    addressId: bigint('address_id', { mode: 'bigint' })
      .notNull()
      .references(() => chainAddresses.id),
    chain: text('chain').$type<Chain>().notNull(),
    /** A token's code, or the contract of a token that we don't know. */
    currency: text('currency').notNull(),
    amount: amount('amount').notNull(),
    transactionId: text('transaction_id').notNull(),
    /** Which payment of the transaction. */
    paymentIndex: text('payment_index').notNull(),
    blockHash: text('block_hash').notNull(),
    blockHeight: integer('block_height').notNull(),
    status: text('status').$type<DepositStatus>().notNull(),
    note: text('note').$type<DepositNote>(),
    /** Its value on the day when it was credited; null where no price was kept. */
    euroCents: amount('euro_cents'),
    /** Who sent it, where it is worth more than EUR 1,000. */
    details: jsonb('details').$type<PartyDetails>(),
    seenAt: moment('seen_at').notNull(),
    /** When it was booked, to the customer or to where it is kept. */
    bookedAt: moment('booked_at'),
    /** When its block was removed by a reorganisation. */
    revertedAt: moment('reverted_at')
  },
  (table) => [
    // A block that was removed may come back, with all that is in it.
    uniqueIndex('deposits_once')
      .on(table.chain, table.blockHash, table.transactionId, table.paymentIndex)
      .where(sql`reverted_at is null`),
    index('deposits_user').on(table.userId, table.id),
    index('deposits_transaction').on(table.chain, table.transactionId),
    index('deposits_height').on(table.chain, table.blockHeight),
    index('deposits_due').on(table.chain, table.blockHeight).where(sql`booked_at is null and reverted_at is null`),
    index('deposits_address').on(table.addressId),
    check('deposits_amounts', sql`${table.amount} > 0 and ${table.blockHeight} >= 0 and ${table.euroCents} >= 0`),
    check('deposits_status_known', oneOf(table.status, DEPOSIT_STATUSES)),
    check('deposits_note_known', oneOf(table.note, DEPOSIT_NOTES))
  ]
)

export type DepositRow = typeof deposits.$inferSelect

/** What a customer owes because a reorganisation took back a deposit that they had already spent. */
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
    /** What is left of it. */
    owed: amount('owed').notNull(),
    createdAt: moment('created_at').notNull()
  },
  (table) => [
    index('deposit_debts_open').on(table.userId, table.currency).where(sql`owed > 0`),
    check('deposit_debts_amounts', sql`${table.owed} >= 0`)
  ]
)
