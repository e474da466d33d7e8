/** Identity checks and the provider's events. */
import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { ReviewStatus } from '#lib/domain/identity/check.ts'
import { users } from '../access/schema.ts'
import { moment } from '../platform/db/columns.ts'

/** The stored part of a passed identity check: only what the profile shows, document numbers masked. */
export type IdentityInfo = {
  firstName?: string
  lastName?: string
  dob?: string
  country?: string
  idDocs?: { idDocType: string; number?: string; validUntil?: string }[]
}

export const identityChecks = pgTable(
  'identity_checks',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id),
    applicantId: text('applicant_id').notNull(),
    reviewStatus: text('review_status').$type<ReviewStatus>().notNull(),
    info: jsonb('info').$type<IdentityInfo>(),
    /** When the provider set this status: an older event changes nothing. */
    statusAt: moment('status_at').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull()
  },
  (table) => [index('identity_checks_updated').on(table.updatedAt)]
)

/** Every accepted event of the provider, by the digest of its content, so that a repeat is recognised and ignored. */
export const identityEvents = pgTable(
  'identity_events',
  {
    digest: text('digest').primaryKey(),
    userId: uuid('user_id').references(() => users.id),
    type: text('type').notNull(),
    outcome: text('outcome').$type<'applied' | 'older' | 'unknown_customer'>().notNull(),
    occurredAt: moment('occurred_at').notNull(),
    receivedAt: moment('received_at').notNull()
  },
  (table) => [index('identity_events_user').on(table.userId)]
)
