/** The shapes of the desk's calls. */
import { z } from '@hono/zod-openapi'
import { HOLD_REASONS as GATE_REASONS } from '#lib/domain/access/withdrawalGate.ts'
import { ACTIVITY_KINDS, isCursor } from '#lib/domain/activity/kinds.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { RIGHT_NAMES, ROLES } from '#lib/domain/staff/rights.ts'
import { HOLD_DAYS } from '#lib/domain/staff/sessions.ts'
import { SETTING_NAMES } from '#lib/domain/staff/settings.ts'
import { LIMIT_DAYS } from '#lib/domain/withdrawals/limit.ts'
import { WAIT_REASONS, WITHDRAWAL_STATES } from '#lib/domain/withdrawals/withdrawal.ts'
import type { DeskCallName } from './calls.ts'
import { caseShapes } from './caseShapes.ts'
import { houseShapes } from './houseShapes.ts'
import { coinsTyped, day, done, fileAnswer, moment, proposed, rowNumber, stop, units, uuid, why } from './parts.ts'
import { paymentShapes } from './paymentShapes.ts'
import { screeningShapes } from './screeningShapes.ts'
import { walletShapes } from './walletShapes.ts'

export type DeskShape = { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }

/** What a browser's passkey returned. */
const passkey = z.record(z.string(), z.unknown())
const webauthnOptions = z.record(z.string(), z.unknown())
const token = z.string().min(20).max(100)
const personName = z.string().trim().min(2, 'Name the person.').max(80, 'At most 80 characters.')
const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(200)
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'This is no e-mail address.')
const roles = z.array(z.enum(ROLES)).min(1, 'Choose at least one role.').max(ROLES.length)
const keyName = z.string().trim().min(1, 'Name the passkey.').max(60, 'At most 60 characters.')
const json = z.record(z.string(), z.unknown())

const person = z.object({ id: z.string(), name: z.string(), email: z.string(), roles: z.array(z.enum(ROLES)) })
const key = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: moment,
  lastUsedAt: moment.nullable(),
  approvesFrom: moment,
  isSynced: z.boolean()
})
const queue = z.object({
  queue: z.string(),
  count: z.number().int(),
  usdCents: units.nullable(),
  eurCents: units.nullable(),
  oldestAt: moment.nullable()
})
const alarm = z.object({
  name: z.string(),
  says: z.string(),
  since: moment.nullable(),
  shown: z.string().nullable(),
  shownLimit: z.string().nullable(),
  takenBy: z.string().nullable(),
  isBad: z.boolean()
})
const decision = z.object({ decision: z.string(), actor: z.string(), why: z.string(), decidedAt: moment, isSigned: z.boolean() })
const withdrawal = z.object({
  id: z.string(),
  customerId: z.string(),
  currency: z.string(),
  chain: z.enum(CHAINS),
  amount: units,
  fee: units,
  usdCents: units,
  receiver: z.string(),
  state: z.enum(WITHDRAWAL_STATES),
  waits: z.enum(WAIT_REASONS).nullable(),
  requestedAt: moment,
  /** Persons who have approved it, and how many it takes. */
  approvals: z.number().int(),
  personsNeeded: z.number().int(),
  /** Facts that a person should know before they approve it. */
  signs: z.array(z.object({ sign: z.string(), at: moment.nullable(), isBad: z.boolean() }))
})
const stuck = z.object({
  id: z.string(),
  purpose: z.string(),
  chain: z.enum(CHAINS),
  currency: z.string(),
  amount: units,
  receiver: z.string(),
  nonce: z.string().nullable(),
  attempts: z.number().int(),
  /** Of the newest attempt, and what the signer would pay at most by itself. */
  fee: units,
  cap: units,
  signedAt: moment,
  error: z.string().nullable(),
  mayOrder: z.boolean(),
  orders: z.array(
    z.object({
      kind: z.enum(['bump', 'cancel']),
      mostFee: units,
      actor: z.string(),
      why: z.string(),
      orderedAt: moment,
      isOver: z.boolean(),
      persons: z.number().int(),
      personsNeeded: z.number().int()
    })
  )
})
const proposal = z.object({
  id: z.string(),
  act: z.enum(RIGHT_NAMES as [string, ...string[]]),
  subject: z.string(),
  why: z.string(),
  proposedBy: z.string(),
  proposedById: z.string(),
  proposedAt: moment,
  expiresAt: moment,
  state: z.enum(['open', 'approved', 'rejected', 'replaced', 'lapsed', 'failed']),
  decidedBy: z.string().nullable(),
  decidedAt: moment.nullable(),
  decisionWhy: z.string().nullable(),
  /** What it would do, or did. */
  plan: z.array(z.object({ what: z.string(), value: z.string() })),
  facts: z.array(z.object({ fact: z.string(), before: z.string(), now: z.string().nullable(), isChanged: z.boolean() })),
  /** A role that the approver must have in addition to the right to approve; null if the right is enough. */
  approverRole: z.enum(ROLES).nullable(),
  /** The worker carries it out after the approval; `carried`: what became of that. */
  isByWorker: z.boolean(),
  carried: z.object({ state: z.enum(['done', 'waits', 'gave_up']), error: z.string().nullable() }).nullable(),
  mayDecide: z.boolean()
})
const logged = z.string().min(1).max(200).optional()
const entry = z.object({
  id: z.string(),
  at: moment,
  actor: z.string(),
  name: z.string(),
  act: z.string(),
  subject: z.string(),
  /** The subject as the log has it, to ask for the other entries about it. */
  about: z.string(),
  why: z.string(),
  details: json,
  /** Of the entry before this one. */
  previous: z.string(),
  hash: z.string(),
  /** True up to the newest head that the signer has signed. */
  isSigned: z.boolean()
})

const limitRequest = z.object({
  id: z.string(),
  customerId: z.string(),
  askedCents: units,
  why: z.string(),
  askedAt: moment,
  dueAt: moment,
  state: z.enum(['open', 'raised', 'refused']),
  decidedAt: moment.nullable(),
  persons: z.array(z.string()),
  answer: z.string().nullable()
})
const customer = z.object({
  id: z.string(),
  /** Masked: e.g. `a…@e…`. */
  email: z.string(),
  since: moment,
  isVerified: z.boolean(),
  gate: z.enum(GATE_REASONS).nullable(),
  /** How many are open, and the newest of them all. */
  sessions: z.number().int(),
  seen: z.array(
    z.object({
      id: z.string(),
      device: z.string(),
      network: z.string(),
      method: z.string(),
      createdAt: moment,
      lastSeenAt: moment,
      endedAt: moment.nullable(),
      isOpen: z.boolean(),
      isFirst: z.boolean()
    })
  ),
  limitRequests: z.array(limitRequest),
  balances: z.array(
    z.object({ currency: z.string(), kinds: z.array(z.object({ kind: z.string(), amount: units })), total: units })
  ),
  holds: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      why: z.string().nullable(),
      createdAt: moment,
      endsAt: moment.nullable(),
      releasedAt: moment.nullable(),
      isOpen: z.boolean()
    })
  ),
  /** Everything that happened, the newest first. */
  timeline: z.array(
    z.object({
      at: moment,
      kind: z.string(),
      text: z.string(),
      link: z.string().nullable(),
      /** Who of staff did what; null for all else. */
      staff: z.object({ name: z.string(), act: z.string() }).nullable(),
      /** A mail that can be sent again: its notice. */
      mail: z.string().nullable()
    })
  ),
  /** Older lines than these, by the cursor of the last one. */
  next: z.string().nullable()
})

const byWithdrawal = { params: z.strictObject({ id: uuid }) }
const byProposal = { params: z.strictObject({ id: uuid }) }

export const deskShapes = {
  getSignInOptions: { body: z.strictObject({}), answer: webauthnOptions },
  signIn: { body: z.strictObject({ response: passkey }), answer: done },
  showInvitation: { body: z.strictObject({ token }), answer: person.omit({ id: true }) },
  getInvitationOptions: { body: z.strictObject({ token }), answer: webauthnOptions },
  acceptInvitation: { body: z.strictObject({ token, keyName, response: passkey }), answer: done },
  signOut: { body: z.strictObject({}), answer: done },
  askForPasskey: {
    body: z.strictObject({
      call: z.string().max(60),
      params: z.record(z.string(), z.string()).default({}),
      body: json.default({})
    }),
    answer: webauthnOptions
  },
  getNewKeyOptions: { body: z.strictObject({}), answer: webauthnOptions },
  addKey: { body: z.strictObject({ keyName, response: passkey }), answer: done },
  removeKey: { params: z.strictObject({ id: z.string().max(1400) }), body: z.strictObject({}), answer: done },
  getMe: {
    answer: person.extend({
      rights: z.array(z.enum(RIGHT_NAMES as [string, ...string[]])),
      keys: z.array(key),
      expiresAt: moment,
      onCallSince: moment.nullable()
    })
  },
  getQueues: { answer: z.array(queue) },
  getOverview: {
    answer: z.object({
      queues: z.array(queue),
      faults: z.array(alarm),
      /** How many rules are quiet, raised and unknown. */
      rules: z.object({ quiet: z.number().int(), raised: z.number().int(), unknown: z.number().int() }),
      /** The parts of the product, each by its rule: what was measured last, and its limit. `unknown`: its rule has not run. */
      health: z.array(
        z.object({
          part: z.string(),
          state: z.enum(['quiet', 'raised', 'unknown']),
          shown: z.string().nullable(),
          shownLimit: z.string().nullable()
        })
      ),
      chains: z.array(z.object({ chain: z.enum(CHAINS), stops: z.array(stop) })),
      books: z.array(
        z.object({
          currency: z.string(),
          claims: units,
          coins: units,
          owed: units,
          /** On the chain or at the bank by the last comparison, and by how much the books differed then. */
          chain: z.string().nullable(),
          difference: z.string().nullable(),
          /** `moved`: they were equal when they were compared, and something was booked since. */
          state: z.enum(['equal', 'moved', 'short', 'unverified']),
          comparedAt: moment.nullable()
        })
      ),
      isMigrateInvitation: z.boolean(),
      onCall: z.array(z.string()),
      /** Whether names are looked up, and since when by this list. */
      screening: z.object({ state: z.enum(['off', 'current', 'stale']), readAt: moment.nullable(), error: z.string().nullable() })
    })
  },
  listRules: {
    answer: z.array(
      z.object({
        name: z.string(),
        rule: z.string(),
        ranAt: moment,
        state: z.enum(['quiet', 'raised', 'unknown']),
        says: z.string(),
        shown: z.string(),
        shownLimit: z.string(),
        /** The limit that staff may set, where the rule has one. */
        limit: units.nullable(),
        unit: z.string()
      })
    )
  },
  ...houseShapes,
  takeAlarm: { params: z.strictObject({ name: z.string().min(1).max(120) }), body: z.strictObject({}), answer: done },
  setOnCall: { body: z.strictObject({ isOnCall: z.enum(['yes', 'no']) }), answer: done },
  listWithdrawals: {
    query: z.strictObject({ filter: z.enum(['waiting', 'underway', 'all']).default('all') }),
    answer: z.object({
      withdrawals: z.array(withdrawal),
      /** Payments out of our wallets that no block takes. Fees are in the chain's own token. */
      stuck: z.array(stuck),
      chains: z.array(z.object({ chain: z.enum(CHAINS), stops: z.array(stop) })),
      /** What the signer signs in 24 hours, and what is left of it, by this process's setting. */
      signer: z.object({ dayCents: units, leftCents: units })
    })
  },
  getWithdrawal: {
    ...byWithdrawal,
    answer: withdrawal.extend({
      decisions: z.array(decision),
      /** How often we have paid this address before, and how many other customers have it in their address book. */
      paidBefore: z.number().int(),
      otherCustomers: z.number().int()
    })
  },
  approveWithdrawal: { ...byWithdrawal, body: z.strictObject({ why }), answer: done },
  rejectWithdrawal: { ...byWithdrawal, body: z.strictObject({ why }), answer: done },
  bumpPayment: { ...byWithdrawal, body: z.strictObject({ most: coinsTyped, why }), answer: done },
  cancelPayment: { ...byWithdrawal, body: z.strictObject({ most: coinsTyped, why }), answer: done },
  ...walletShapes,
  ...caseShapes,
  ...screeningShapes,
  ...paymentShapes,
  listProposals: { query: z.strictObject({ filter: z.enum(['open', 'over']).default('open') }), answer: z.array(proposal) },
  getProposal: { ...byProposal, answer: proposal },
  approveProposal: { ...byProposal, body: z.strictObject({ why }), answer: done },
  rejectProposal: { ...byProposal, body: z.strictObject({ why }), answer: done },
  repeatProposal: { ...byProposal, body: z.strictObject({ why }), answer: proposed },
  listReports: { answer: z.array(z.object({ day, madeAt: moment })) },
  getReport: {
    params: z.strictObject({ day }),
    answer: z.object({
      day,
      madeAt: moment,
      sections: z.array(
        z.object({
          title: z.string(),
          columns: z.array(z.string()),
          rows: z.array(z.object({ cells: z.array(z.string()), href: z.string().optional(), isBad: z.boolean().optional() })),
          foot: z.string().optional()
        })
      )
    })
  },
  exportReport: {
    params: z.strictObject({ day }),
    body: z.strictObject({ format: z.enum(['pdf', 'csv']) }),
    answer: fileAnswer
  },
  listPeople: {
    answer: z.object({
      people: z.array(
        person.extend({
          createdAt: moment,
          stoppedAt: moment.nullable(),
          keys: z.number().int(),
          isHere: z.boolean(),
          lastSeenAt: moment.nullable()
        })
      ),
      invitations: z.array(person.extend({ expiresAt: moment, by: z.string() })),
      settings: z.array(
        z.object({
          name: z.enum(SETTING_NAMES as [string, ...string[]]),
          value: units,
          unit: z.enum(['USD', 'EUR', 'count', 'seconds', 'days'])
        })
      )
    })
  },
  proposeInvitation: { body: z.strictObject({ name: personName, email, roles, why }), answer: proposed },
  proposeRoles: { params: z.strictObject({ id: uuid }), body: z.strictObject({ roles, why }), answer: proposed },
  stopPerson: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  withdrawInvitation: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  proposeSetting: {
    params: z.strictObject({ name: z.enum(SETTING_NAMES as [string, ...string[]]) }),
    body: z.strictObject({ value: units, why }),
    answer: proposed
  },
  findCustomers: {
    query: z.strictObject({ q: z.string().trim().max(200).default('') }),
    answer: z.array(z.object({ id: z.string(), email: z.string(), since: moment, foundBy: z.string() }))
  },
  getCustomer: {
    params: z.strictObject({ id: uuid }),
    query: z.strictObject({
      kind: z.enum([...ACTIVITY_KINDS, 'mail']).optional(),
      before: z.string().max(200).refine(isCursor).optional()
    }),
    answer: customer
  },
  /** The lines of the books that add up to what a customer has of a token. */
  explainBalance: {
    params: z.strictObject({ id: uuid, currency: z.string().regex(/^[A-Z]{2,10}$/) }),
    query: z.strictObject({ before: rowNumber.optional() }),
    answer: z.object({
      currency: z.string(),
      balance: units,
      lines: z.array(
        z.object({
          id: z.string(),
          at: moment,
          what: z.string(),
          amount: z.string(),
          after: z.string(),
          with: z.string(),
          orderId: z.string().nullable()
        })
      ),
      next: z.string().nullable()
    })
  },
  /** Kept for good: it is in the log. */
  noteCustomer: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  holdAccount: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  holdLonger: {
    params: z.strictObject({ id: uuid }),
    body: z.strictObject({
      why,
      days: z.string().refine((text) => /^\d{1,2}$/.test(text) && Number(text) >= 1 && Number(text) <= HOLD_DAYS.longest, {
        message: 'From 1 to 30 days.'
      })
    }),
    answer: done
  },
  proposeRelease: {
    params: z.strictObject({ id: uuid }),
    body: z.strictObject({ why, holdId: z.string().regex(/^\d{1,18}$/) }),
    answer: proposed
  },
  sendMailAgain: {
    params: z.strictObject({ id: uuid, notice: rowNumber }),
    body: z.strictObject({ why }),
    answer: done
  },
  /** The customer reads why. */
  askIdentityAgain: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  listLimitRequests: { answer: z.array(limitRequest) },
  proposeLimit: {
    params: z.strictObject({ id: uuid }),
    body: z.strictObject({
      why,
      requestId: rowNumber,
      dayCents: units,
      days: z
        .string()
        .default('')
        .refine((text) => text === '' || (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= LIMIT_DAYS), {
          message: `From 1 to ${LIMIT_DAYS} days.`
        })
    }),
    answer: proposed
  },
  refuseLimit: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why, requestId: rowNumber }), answer: done },
  endCustomerSessions: { params: z.strictObject({ id: uuid }), body: z.strictObject({ why }), answer: done },
  showPersonalData: {
    params: z.strictObject({ id: uuid }),
    body: z.strictObject({ why }),
    answer: z.object({ email: z.string(), name: z.string(), until: moment })
  },
  listAudit: {
    query: z.strictObject({
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      /** Only entries of this actor, act or subject, or of this day. */
      actor: logged,
      act: logged,
      about: logged,
      day: z.iso.date().optional()
    }),
    answer: z.object({ entries: z.array(entry), signedUpTo: z.string().nullable(), signedAt: moment.nullable() })
  }
} satisfies Record<DeskCallName, DeskShape>
type DeskShapes = typeof deskShapes

type Part<K extends DeskCallName, P extends string> = DeskShapes[K] extends { [key in P]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined
export type DeskAnswer<K extends DeskCallName> = z.output<DeskShapes[K]['answer']>
export type DeskInput<K extends DeskCallName> = { params: Part<K, 'params'>; query: Part<K, 'query'>; body: Part<K, 'body'> }
