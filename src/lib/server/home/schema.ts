import { date, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { users } from '../access/schema.ts'

/** The mails about a week: one row for a customer and a week, by the Monday it was sent on. */
export const weeklyMails = pgTable(
  'weekly_mails',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    week: date('week').notNull()
  },
  (table) => [primaryKey({ columns: [table.week, table.userId] })]
)
