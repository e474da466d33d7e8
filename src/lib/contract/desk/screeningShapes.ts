/** Shapes of the desk's calls about names. */
import { z } from '@hono/zod-openapi'
import { done, moment, proposed, rowNumber, type SomeShapes, why } from './parts.ts'

const byHit = { params: z.strictObject({ id: rowNumber }) }
const hit = z.object({
  id: z.string(),
  /** Null: a payer of whom no customer is known yet. */
  customerId: z.string().nullable(),
  of: z.enum(['customer', 'payer']),
  /** Masked: initials. */
  name: z.string(),
  listed: z.string(),
  about: z.string(),
  /** Days, months or years that the list knows. */
  births: z.array(z.string()),
  score: z.number(),
  birth: z.enum(['same', 'other', 'unknown']),
  foundAt: moment,
  state: z.enum(['open', 'other_person', 'same_person']),
  decidedBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
  decidedAt: moment.nullable(),
  why: z.string().nullable()
})

export const screeningShapes = {
  listHits: {
    query: z.strictObject({ filter: z.enum(['open', 'over']).default('open') }),
    answer: z.object({
      hits: z.array(hit),
      state: z.enum(['off', 'current', 'stale']),
      list: z
        .object({
          source: z.string(),
          version: z.string().nullable(),
          entries: z.number().int(),
          readAt: moment.nullable(),
          error: z.string().nullable()
        })
        .nullable()
    })
  },
  /** Not this person: two persons say so, and the customer is free if nothing else is open. */
  proposeOtherPerson: { ...byHit, body: z.strictObject({ why }), answer: proposed },
  /** It is this person: the customer stays held. */
  confirmHit: { ...byHit, body: z.strictObject({ why }), answer: done },
  /** The name and birth date, and those of the list, side by side; the log keeps who looked and why. */
  showHit: {
    ...byHit,
    body: z.strictObject({ why }),
    answer: z.object({ name: z.string(), birthDate: z.string(), until: moment })
  }
} satisfies SomeShapes
