/** The tables of the ledger. Only this folder uses them, and only its functions write them: `ledger_write`, with its two parts, and `ledger_write_many`; `ledger_lock_all` opens accounts. */
import { sql } from 'drizzle-orm'
import { bigint, check, foreignKey, index, pgTable, smallint, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { LedgerReason, SourceType } from '#lib/domain/ledger/reasons.ts'
import { amount, moment, rowId } from '../platform/db/columns.ts'

/** The owner of our own accounts ("house accounts"). They alone may go below zero, except the fund of staking rewards. */
export const HOUSE_ID = '00000000-0000-0000-0000-000000000000'

export const accounts = pgTable(
  'accounts',
  {
    id: rowId(),
    ownerId: uuid('owner_id').notNull(),
    currency: text('currency').notNull(),
    kind: text('kind').notNull(),
    /** A house account has several rows, so that concurrent bookings do not wait for one another; the fund of staking rewards has one. */
    slot: smallint('slot').notNull().default(0),
    balance: amount('balance').notNull().default(sql`0`)
  },
  (table) => [
    unique('accounts_owner_currency_kind_slot').on(table.ownerId, table.currency, table.kind, table.slot),
    unique('accounts_id_currency').on(table.id, table.currency),
    check('accounts_balance_number', sql`${table.balance} <> 'NaN'`),
    check(
      'accounts_balance_not_negative',
      sql`${table.balance} >= 0 or (${table.ownerId} = ${sql.raw(`'${HOUSE_ID}'`)} and ${table.kind} <> 'staking_rewards')`
    )
  ]
)

export const ledgerTransactions = pgTable(
  'ledger_transactions',
  {
    id: rowId(),
    reason: text('reason').$type<LedgerReason>().notNull(),
    /** What it was booked for, e.g. `order` and the order's id. */
    sourceType: text('source_type').$type<SourceType>().notNull(),
    sourceId: text('source_id').notNull(),
    /** Unique, so that nothing is booked twice. */
    reference: text('reference').notNull().unique('ledger_transactions_reference'),
    /** Who caused it, e.g. `customer:<id>` or `system:bank`. */
    actor: text('actor').notNull(),
    createdAt: moment('created_at').notNull()
  },
  (table) => [
    index('ledger_transactions_source').on(table.sourceType, table.sourceId),
    // For the value line, which reads the balances at the end of each day.
    index('ledger_transactions_created').on(table.createdAt)
  ]
)

/** One amount of one currency from one account to another, with both balances after it. Never changed, never deleted. */
export const postings = pgTable(
  'postings',
  {
    id: rowId(),
    transactionId: bigint('transaction_id', { mode: 'bigint' })
      .notNull()
      .references(() => ledgerTransactions.id),
    sourceId: bigint('source_id', { mode: 'bigint' }).notNull(),
    destinationId: bigint('destination_id', { mode: 'bigint' }).notNull(),
    currency: text('currency').notNull(),
    amount: amount('amount').notNull(),
    sourceBalance: amount('source_balance').notNull(),
    destinationBalance: amount('destination_balance').notNull()
  },
  (table) => [
    // The database enforces that both accounts have the posting's currency.
    foreignKey({ columns: [table.sourceId, table.currency], foreignColumns: [accounts.id, accounts.currency] }),
    foreignKey({ columns: [table.destinationId, table.currency], foreignColumns: [accounts.id, accounts.currency] }),
    index('postings_source').on(table.sourceId, table.id),
    index('postings_destination').on(table.destinationId, table.id),
    index('postings_transaction').on(table.transactionId),
    check('postings_amount_positive', sql`${table.amount} > 0`),
    check('postings_amount_number', sql`${table.amount} <> 'NaN'`),
    check('postings_two_accounts', sql`${table.sourceId} <> ${table.destinationId}`)
  ]
)
