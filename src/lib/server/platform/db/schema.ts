/** Tables of the platform: rate limits, idempotency keys, jobs, cursors, the sandbox's mailbox. */
import { type SQLWrapper, sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { BULK_MAIL } from '../jobs/kinds.ts'
import { literal, moment, rowId } from './columns.ts'

export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetsAt: moment('resets_at').notNull()
})

/** Responses to requests that carried an idempotency key, by sender (`customer:<id>`). */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    answer: jsonb('answer'),
    createdAt: moment('created_at').notNull()
  },
  (table) => [primaryKey({ columns: [table.actor, table.key] })]
)

/** The condition of the index `jobs_prompt`. */
export const isNotBulk = (kind: SQLWrapper) => sql`${kind} <> ${literal(BULK_MAIL)}`

/** Work to do after a commit or at a time. A finished job is deleted; one that failed for good stays for the operator. */
export const jobs = pgTable(
  'jobs',
  {
    id: rowId(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<object>().notNull(),
    /** At most one job of a key exists, e.g. a recurring one. A job that failed for good keeps its key. */
    key: text('key').unique('jobs_key'),
    /** When it is due; while a worker runs it, when the lease ends. */
    runAt: moment('run_at').notNull(),
    /** The id of the current claim: only the worker that made it may finish the job. */
    lease: uuid('lease'),
    tries: integer('tries').notNull().default(0),
    createdAt: moment('created_at').notNull(),
    failedAt: moment('failed_at'),
    lastError: text('last_error')
  },
  (table) => [
    index('jobs_due').on(table.runAt).where(sql`${table.failedAt} is null`),
    index('jobs_prompt')
      .on(table.runAt, table.id)
      .where(sql`${table.failedAt} is null and ${isNotBulk(table.kind)}`)
  ]
)

/** How far a reader of an outside source has read, e.g. the bank's statements. */
export const cursors = pgTable('cursors', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
  updatedAt: moment('updated_at').notNull()
})

/** The sandbox's mailbox; empty in production. */
export const sandboxMails = pgTable('sandbox_mails', {
  id: rowId(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  text: text('text').notNull(),
  html: text('html').notNull().default(''),
  createdAt: moment('created_at').notNull()
})

/** When something last happened that must go on happening, e.g. a turn of the signer. */
export const heartbeats = pgTable('heartbeats', {
  name: text('name').primaryKey(),
  at: moment('at').notNull()
})

/** What is wrong at the moment, so that each fault is logged once. A row goes when its fault does. */
export const alarms = pgTable('alarms', {
  name: text('name').primaryKey(),
  says: text('says').notNull(),
  since: moment('since').notNull(),
  /** What was measured last and its limit, as they are shown. */
  shown: text('shown'),
  shownLimit: text('shown_limit'),
  /** Who looks after it. */
  takenBy: text('taken_by'),
  takenAt: moment('taken_at')
})

/** When each rule of the monitor last ran, and what it found: a rule that did not run is unknown, never all clear. */
export const ruleRuns = pgTable('rule_runs', {
  /** The rule with its label, e.g. `blocks:bitcoin`; one that failed, or that measures a list, also stands by itself. */
  name: text('name').primaryKey(),
  rule: text('rule').notNull(),
  ranAt: moment('ran_at').notNull(),
  state: text('state').$type<'quiet' | 'raised' | 'unknown'>().notNull(),
  says: text('says').notNull(),
  shown: text('shown').notNull(),
  shownLimit: text('shown_limit').notNull()
})
