import { customType, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { DocumentKind } from '#lib/domain/documents/periods.ts'
import { users } from '../access/schema.ts'
import { orders } from '../orders/schema.ts'
import { amount, moment } from '../platform/db/columns.ts'

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** Where a quarter ends in the books: its last posting, taken once and never changed. */
export const quarterCuts = pgTable('quarter_cuts', {
  /** E.g. `2026-Q4`. */
  quarter: text('quarter').primaryKey(),
  lastPosting: amount('last_posting').notNull(),
  takenAt: moment('taken_at').notNull(),
  /** When all customers' documents of the quarter were made. */
  doneAt: moment('done_at')
})

/** A customer's document of a quarter or a year. Its bytes are kept as they were given to the customer. */
export const documents = pgTable(
  'documents',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind').$type<DocumentKind>().notNull(),
    /** A quarter, or a year. */
    period: text('period').notNull(),
    /** The last posting before the period, and the last one in it. */
    afterPosting: amount('after_posting').notNull(),
    lastPosting: amount('last_posting').notNull(),
    /** What the customer had at the start and the end, by currency, in smallest units. */
    opening: jsonb('opening').$type<Record<string, string>>().notNull(),
    closing: jsonb('closing').$type<Record<string, string>>().notNull(),
    lines: integer('lines').notNull(),
    pdf: bytes('pdf').notNull(),
    csv: text('csv').notNull(),
    createdAt: moment('created_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind, table.period] })]
)

/** The receipt of a completed order. Its holder proves it genuine by a code, of which we keep only the hash. */
export const receipts = pgTable('receipts', {
  orderId: text('order_id')
    .primaryKey()
    .references(() => orders.id),
  codeHash: text('code_hash').notNull().unique(),
  pdf: bytes('pdf').notNull(),
  createdAt: moment('created_at').notNull()
})
