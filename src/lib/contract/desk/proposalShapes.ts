/** Shapes of the desk's calls about what two persons decide, and about the log of what staff did. */
import { z } from '@hono/zod-openapi'
import { RIGHT_NAMES, ROLES } from '#lib/domain/staff/rights.ts'
import { done, json, moment, proposed, type SomeShapes, uuid, why } from './parts.ts'

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
const byProposal = { params: z.strictObject({ id: uuid }) }

export const proposalShapes = {
  listProposals: { query: z.strictObject({ filter: z.enum(['open', 'over']).default('open') }), answer: z.array(proposal) },
  getProposal: { ...byProposal, answer: proposal },
  approveProposal: { ...byProposal, body: z.strictObject({ why }), answer: done },
  rejectProposal: { ...byProposal, body: z.strictObject({ why }), answer: done },
  repeatProposal: { ...byProposal, body: z.strictObject({ why }), answer: proposed },
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
} satisfies SomeShapes
