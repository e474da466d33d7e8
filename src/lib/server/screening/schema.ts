/** Names that must not be served: the list as it was read, whom we have looked at, and what was found. */
import { sql } from 'drizzle-orm'
import { check, doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Birth, BirthMatch } from '#lib/domain/screening/names.ts'
import { users } from '../access/schema.ts'
import { moment, oneOf, rowId } from '../platform/db/columns.ts'

/** One row for the list that is set; none: screening is off. */
export const screeningLists = pgTable('screening_lists', {
  source: text('source').primaryKey(),
  /** The list's own: when it was made. */
  version: text('version'),
  entries: integer('entries').notNull(),
  /** When it was read completely for the last time, and what went wrong since. */
  readAt: moment('read_at'),
  error: text('error')
})

export const screeningEntries = pgTable(
  'screening_entries',
  {
    source: text('source').notNull(),
    id: text('id').notNull(),
    kind: text('kind').$type<'person' | 'other'>().notNull(),
    /** All spellings; the first one is shown. */
    names: jsonb('names').$type<string[]>().notNull(),
    births: jsonb('births').$type<Birth[]>().notNull(),
    /** What a person reads: reference, programme, nationality. */
    about: text('about').notNull()
  },
  (table) => [primaryKey({ columns: [table.source, table.id] })]
)

/** When a customer's verified name was looked at last, and by which list. */
export const screenedNames = pgTable(
  'screened_names',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    /** A hash of name and birth date: another one is looked at anew. */
    digest: text('digest').notNull(),
    version: text('version').notNull(),
    screenedAt: moment('screened_at').notNull()
  },
  (table) => [index('screened_names_version').on(table.version)]
)

/** When the name of an account that money came from was looked at last. */
export const screenedPayers = pgTable('screened_payers', {
  who: text('who').primaryKey(),
  version: text('version').notNull(),
  screenedAt: moment('screened_at').notNull()
})

const STATES = ['open', 'other_person', 'same_person'] as const

/** A name that is like one of the list. `other_person` is remembered: the same two are not asked about again. */
export const screeningHits = pgTable(
  'screening_hits',
  {
    id: rowId(),
    /** Null: a payer of whom no customer is known yet. */
    userId: uuid('user_id').references(() => users.id),
    /** `customer`: the verified name. `payer`: the name of an account that a payment came from. */
    of: text('of').$type<'customer' | 'payer'>().notNull(),
    /** The name and birth date that were looked up, and who has them: a customer, or an account. */
    name: text('name').notNull(),
    birthDate: text('birth_date'),
    who: text('who').notNull(),
    source: text('source').notNull(),
    entryId: text('entry_id').notNull(),
    listed: text('listed').notNull(),
    about: text('about').notNull(),
    births: jsonb('births').$type<Birth[]>().notNull(),
    score: doublePrecision('score').notNull(),
    birth: text('birth').$type<BirthMatch>().notNull(),
    foundAt: moment('found_at').notNull(),
    state: text('state').$type<(typeof STATES)[number]>().notNull(),
    decidedBy: text('decided_by'),
    approvedBy: text('approved_by'),
    decidedAt: moment('decided_at'),
    why: text('why')
  },
  (table) => [
    unique('screening_hits_once').on(table.who, table.source, table.entryId),
    index('screening_hits_user').on(table.userId),
    index('screening_hits_open').on(table.foundAt).where(sql`state = 'open'`),
    check('screening_hits_state_known', oneOf(table.state, STATES)),
    check(
      'screening_hits_two',
      sql`${table.state} <> 'other_person' or (${table.approvedBy} is not null and ${table.approvedBy} <> ${table.decidedBy})`
    )
  ]
)
