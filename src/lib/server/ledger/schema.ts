/** The tables of the ledger: a file of their own, so that a tool can see that only services/ledger touches them. */
import { sql } from 'drizzle-orm'
import { bigint, check, foreignKey, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { amount, moment, rowId } from '../platform/db/columns.ts'

/** The owner of the house's own accounts, the only ones that may go below zero. */
export const HOUSE_ID = '00000000-0000-0000-0000-000000000000'

export const accounts = pgTable(
  'accounts',
  {
    id: rowId(),
    ownerId: uuid('owner_id').notNull(),
    currency: text('currency').notNull(),
    kind: text('kind').notNull(),
    balance: amount('balance').notNull().default(sql`0`)
  },
  (table) => [
    unique('accounts_owner_currency_kind').on(table.ownerId, table.currency, table.kind),
    unique('accounts_id_currency').on(table.id, table.currency),
    check('accounts_balance_not_negative', sql`${table.balance} >= 0 or ${table.ownerId} = ${sql.raw(`'${HOUSE_ID}'`)}`)
  ]
)

export const ledgerTransactions = pgTable('ledger_transactions', {
  id: rowId(),
  reason: text('reason').notNull(),
  reference: text('reference').notNull().unique('ledger_transactions_reference'),
  createdAt: moment('created_at').notNull()
})

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
    // Both accounts are of the posting's currency: the database says so.
    foreignKey({ columns: [table.sourceId, table.currency], foreignColumns: [accounts.id, accounts.currency] }),
    foreignKey({ columns: [table.destinationId, table.currency], foreignColumns: [accounts.id, accounts.currency] }),
    index('postings_source').on(table.sourceId, table.id),
    index('postings_destination').on(table.destinationId, table.id),
    index('postings_transaction').on(table.transactionId),
    check('postings_amount_positive', sql`${table.amount} > 0`),
    check('postings_two_accounts', sql`${table.sourceId} <> ${table.destinationId}`)
  ]
)
