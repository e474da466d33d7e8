/** Tables of staff: who operates the desk, their passkeys and sessions, what two persons decide, and the audit log. */
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { Right, StaffRole } from '#lib/domain/staff/rights.ts'
import type { DeskSetting } from '#lib/domain/staff/settings.ts'
import { amount, moment } from '../platform/db/columns.ts'

/**
 * A passkey's answer, as it is kept for the signer. `key`: the credential's id. `expires`, `nonce`: what the challenge was made of. The rest is
 * the browser's, base64url.
 */
export type PasskeyAnswer = {
  key: string
  expires: string
  nonce: string
  clientData: string
  authenticatorData: string
  signature: string
}

export const staff = pgTable(
  'staff',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    email: text('email').notNull(),
    roles: text('roles').array().$type<StaffRole[]>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** When they were stopped: they never sign in again. */
    stoppedAt: moment('stopped_at'),
    /** Since when they are on call: alarms are mailed to them. */
    onCallSince: moment('on_call_since')
  },
  (table) => [uniqueIndex('staff_name').on(sql`lower(${table.name})`), uniqueIndex('staff_email').on(sql`lower(${table.email})`)]
)

export const staffKeys = pgTable(
  'staff_keys',
  {
    /** The passkey's credential id, base64url. */
    id: text('id').primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id),
    name: text('name').notNull(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    isSynced: boolean('is_synced').notNull(),
    /** The desk's address where it was made: it answers there alone. */
    origin: text('origin').notNull(),
    createdAt: moment('created_at').notNull(),
    lastUsedAt: moment('last_used_at'),
    removedAt: moment('removed_at')
  },
  (table) => [index('staff_keys_staff').on(table.staffId)]
)

/** Invitations. Those of the command have no `invitedBy`; `isOverride`: made by the migrate user although the desk had its admins. */
export const staffInvitations = pgTable('staff_invitations', {
  id: uuid('id').primaryKey(),
  tokenHash: text('token_hash').notNull().unique('staff_invitations_token'),
  name: text('name').notNull(),
  email: text('email').notNull(),
  roles: text('roles').array().$type<StaffRole[]>().notNull(),
  invitedBy: uuid('invited_by').references(() => staff.id),
  approvedBy: uuid('approved_by').references(() => staff.id),
  isOverride: boolean('is_override').notNull().default(false),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  acceptedAt: moment('accepted_at'),
  staffId: uuid('staff_id').references(() => staff.id)
})

export const staffSessions = pgTable(
  'staff_sessions',
  {
    id: uuid('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique('staff_sessions_token'),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id),
    keyId: text('key_id').notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    seenAt: moment('seen_at').notNull(),
    endedAt: moment('ended_at')
  },
  (table) => [index('staff_sessions_staff').on(table.staffId)]
)

export type ChallengePurpose = 'sign_in' | 'invitation' | 'add_key' | 'act'

/** Challenges of passkeys, each answered once. */
export const staffChallenges = pgTable('staff_challenges', {
  /** Of the challenge. */
  hash: text('hash').primaryKey(),
  purpose: text('purpose').$type<ChallengePurpose>().notNull(),
  staffId: uuid('staff_id').references(() => staff.id),
  invitationId: uuid('invitation_id').references(() => staffInvitations.id),
  /** The hash of the call and its values that the challenge is for. */
  actHash: text('act_hash'),
  /** What the act needs to compute the challenge again. */
  once: jsonb('once').$type<{ expires: string; nonce: string }>(),
  expiresAt: moment('expires_at').notNull()
})

/** A fact that was looked at, and is compared when another person agrees. */
export type Facts = Record<string, string>
export type PlanLine = { what: string; value: string }
export const PROPOSAL_STATES = ['open', 'approved', 'rejected', 'replaced', 'lapsed', 'failed'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** Acts that need two persons: made, tried and rolled back by one, decided by another. */
export const staffProposals = pgTable(
  'staff_proposals',
  {
    id: uuid('id').primaryKey(),
    act: text('act').$type<Right>().notNull(),
    /** What it is about, e.g. `chain:bitcoin`. */
    subject: text('subject').notNull(),
    input: jsonb('input').$type<Record<string, unknown>>().notNull(),
    facts: jsonb('facts').$type<Facts>().notNull(),
    plan: jsonb('plan').$type<PlanLine[]>().notNull(),
    /** What it did, once it was carried out. */
    outcome: jsonb('outcome').$type<PlanLine[]>(),
    why: text('why').notNull(),
    proposedBy: uuid('proposed_by')
      .notNull()
      .references(() => staff.id),
    proposedAt: moment('proposed_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    state: text('state').$type<ProposalState>().notNull(),
    decidedBy: uuid('decided_by').references(() => staff.id),
    decidedAt: moment('decided_at'),
    decisionWhy: text('decision_why')
  },
  (table) => [
    // Two of the same could both be approved.
    uniqueIndex('staff_proposals_open').on(table.act, table.subject).where(sql`state = 'open'`),
    index('staff_proposals_listed').on(table.state, table.proposedAt),
    check('staff_proposals_state_known', sql`${table.state} in ('open', 'approved', 'rejected', 'replaced', 'lapsed', 'failed')`),
    check(
      'staff_proposals_by_another',
      sql`${table.state} not in ('approved', 'failed') or ${table.decidedBy} <> ${table.proposedBy}`
    ),
    check(
      'staff_proposals_decided',
      sql`(${table.state} in ('approved', 'rejected', 'failed')) = (${table.decidedBy} is not null and ${table.decidedAt} is not null)`
    )
  ]
)

/** What staff set by two persons; without a row, `domain/staff/settings.ts` has the value. */
export const staffSettings = pgTable('staff_settings', {
  name: text('name').$type<DeskSetting>().primaryKey(),
  value: amount('value').notNull(),
  changedAt: moment('changed_at').notNull(),
  changedBy: uuid('changed_by')
    .notNull()
    .references(() => staff.id)
})

/** Every act and every look at personal data. Written by `staff_audit_append` alone; never changed. */
export const staffAudit = pgTable(
  'staff_audit',
  {
    /** Without gaps, from 1. */
    id: bigint('id', { mode: 'bigint' }).primaryKey(),
    at: moment('at').notNull(),
    /** `staff:<id>` or `system:<part>`. */
    actor: text('actor').notNull(),
    act: text('act').notNull(),
    subject: text('subject').notNull(),
    why: text('why').notNull(),
    /** JSON as it was hashed. */
    details: text('details').notNull(),
    previous: text('previous').notNull(),
    /** SHA-256 over all of the above, hexadecimal. */
    hash: text('hash').notNull()
  },
  (table) => [index('staff_audit_subject').on(table.subject, table.id)]
)

/** Heads of the audit log that the signer has signed. Never changed. */
export const staffAuditHeads = pgTable('staff_audit_heads', {
  entryId: bigint('entry_id', { mode: 'bigint' }).primaryKey(),
  hash: text('hash').notNull(),
  signature: text('signature').notNull(),
  signedAt: moment('signed_at').notNull()
})
