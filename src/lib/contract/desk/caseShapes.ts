/** Shapes of the desk's calls about cases of support. */
import { z } from '@hono/zod-openapi'
import { CASE_NUMBER, CONTEXT_KINDS, LONGEST_MESSAGE } from '#lib/domain/help/message.ts'
import { day, done, moment, type SomeShapes, why } from './parts.ts'

const byCase = { params: z.strictObject({ number: z.string().regex(CASE_NUMBER) }) }
const text = z.string().trim().min(1, 'Write something.').max(LONGEST_MESSAGE, `At most ${LONGEST_MESSAGE} characters.`)

/** `waitsSince` of the case as it was read: what has come since was not seen. */
const seen = moment

const supportCase = z.object({
  number: z.string(),
  /** Null: a visitor, whose address nobody has checked. */
  customerId: z.string().nullable(),
  /** Masked. */
  email: z.string(),
  state: z.enum(['open', 'answered', 'closed']),
  assignedTo: z.string().nullable(),
  snoozedUntil: moment.nullable(),
  snoozeWhy: z.string().nullable(),
  openedAt: moment,
  waitsSince: moment,
  /** The beginning of the first message. */
  first: z.string()
})

export const caseShapes = {
  listCases: {
    query: z.strictObject({ filter: z.enum(['open', 'mine', 'snoozed', 'over']).default('open') }),
    answer: z.array(supportCase)
  },
  getCase: {
    ...byCase,
    answer: supportCase.extend({
      isMine: z.boolean(),
      context: z.array(z.object({ kind: z.enum(CONTEXT_KINDS), value: z.string() })),
      messages: z.array(
        z.object({ from: z.enum(['sender', 'staff', 'note']), who: z.string().nullable(), text: z.string(), at: moment })
      )
    })
  },
  answerCase: { ...byCase, body: z.strictObject({ text, seen }), answer: done },
  noteCase: { ...byCase, body: z.strictObject({ text }), answer: done },
  /** `me`, or `nobody`: a case goes back to all. */
  assignCase: { ...byCase, body: z.strictObject({ to: z.enum(['me', 'nobody']) }), answer: done },
  snoozeCase: { ...byCase, body: z.strictObject({ until: day, why, seen }), answer: done },
  closeCase: { ...byCase, body: z.strictObject({ why, seen }), answer: done },
  showSender: { ...byCase, body: z.strictObject({ why }), answer: z.object({ email: z.string(), until: moment }) }
} satisfies SomeShapes
