/** Messages to support, and what was answered. */
import { sql } from 'drizzle-orm'
import { check, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { CaseState, ContextLine } from '#lib/domain/help/message.ts'
import { users } from '../access/schema.ts'
import { moment, oneOf, rowId } from '../platform/db/columns.ts'

const STATES = ['open', 'answered', 'closed'] as const satisfies CaseState[]

/** A case: it begins with a message, and is open while somebody waits for us. */
export const supportCases = pgTable(
  'support_cases',
  {
    /** The number that mails quote. */
    number: text('number').primaryKey(),
    /** Null: a visitor, whose address nobody has checked. */
    userId: uuid('user_id').references(() => users.id),
    email: text('email').notNull(),
    context: jsonb('context').$type<ContextLine[]>().notNull(),
    state: text('state').$type<CaseState>().notNull(),
    /** The member of staff who looks after it. */
    assignedTo: uuid('assigned_to'),
    /** Out of the list until then. */
    snoozedUntil: moment('snoozed_until'),
    snoozeWhy: text('snooze_why'),
    openedAt: moment('opened_at').notNull(),
    /** The newest message that waits for an answer. */
    waitsSince: moment('waits_since').notNull()
  },
  (table) => [
    index('support_cases_user').on(table.userId),
    index('support_cases_open').on(table.waitsSince).where(sql`state = 'open'`),
    check('support_cases_state_known', oneOf(table.state, STATES))
  ]
)

/** What was written, never changed. `note`: for colleagues, shown to no customer. */
export const supportMessages = pgTable(
  'support_messages',
  {
    id: rowId(),
    number: text('number')
      .notNull()
      .references(() => supportCases.number),
    from: text('from').$type<'sender' | 'staff' | 'note'>().notNull(),
    /** Who of staff wrote it. */
    actor: text('actor'),
    text: text('text').notNull(),
    at: moment('at').notNull()
  },
  (table) => [index('support_messages_case').on(table.number, table.id)]
)
