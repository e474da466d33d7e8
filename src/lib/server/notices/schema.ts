import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { MailName } from '#lib/messages/index.ts'
import { users } from '../access/schema.ts'
import { moment, rowId } from '../platform/db/columns.ts'

/** What the bell shows: one row for each event that also makes a mail. */
export const notices = pgTable(
  'notices',
  {
    id: rowId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    /** The mail's job: a job that runs twice makes one notice. */
    jobId: bigint('job_id', { mode: 'bigint' }).notNull().unique('notices_job'),
    /** The event, by the name of its mail, and the parameters of its text. */
    name: text('name').$type<MailName>().notNull(),
    params: jsonb('params').$type<object>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** When the customer opened it; null: not by itself, though it may be seen with all others (`users.seen_notice`). */
    openedAt: moment('opened_at')
  },
  (table) => [index('notices_user').on(table.userId, table.id)]
)
