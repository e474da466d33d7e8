/** Shapes of the desk's calls about a customer. */
import { z } from '@hono/zod-openapi'
import { HOLD_REASONS as GATE_REASONS } from '#lib/domain/access/withdrawalGate.ts'
import { ACTIVITY_KINDS, isCursor } from '#lib/domain/activity/kinds.ts'
import { HOLD_DAYS } from '#lib/domain/staff/sessions.ts'
import { LIMIT_DAYS } from '#lib/domain/withdrawals/limit.ts'
import { done, moment, proposed, rowNumber, type SomeShapes, units, uuid, why } from './parts.ts'

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

export const customerShapes = {
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
  }
} satisfies SomeShapes
