import { z } from '@hono/zod-openapi'
import { checkEmail, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { CASE_NUMBER, CONTEXT_KINDS, LONGEST_MESSAGE } from '#lib/domain/help/message.ts'
import { moment, ruled } from './common.ts'

/** White space becomes single spaces, so that one value cannot look like several lines. */
const line = z
  .string()
  .max(300)
  .transform((text) => text.replace(/\s+/g, ' ').trim())
  .openapi({ type: 'string' })
const message = z.string().trim().min(1).max(LONGEST_MESSAGE)
/** Context sent with the message; the sender has seen it. */
const context = z
  .array(z.strictObject({ kind: z.enum(CONTEXT_KINDS), value: line }))
  .max(CONTEXT_KINDS.length)
  .default([])
/** A message that belongs to a case of one's own; it is open again. */
const number = z.string().regex(CASE_NUMBER).optional()
/** The case number that support's reply quotes. */
const answer = z.object({ number: z.string() })

export const helpShapes = {
  writeToSupport: { summary: 'A message to support', body: z.strictObject({ message, context, number }), answer },
  listSupportCases: {
    summary: 'Own messages to support, and the answers',
    answer: z.array(
      z.object({
        number: z.string(),
        state: z.enum(['open', 'answered', 'closed']),
        openedAt: moment,
        messages: z.array(z.object({ from: z.enum(['you', 'support']), text: z.string(), at: moment }))
      })
    )
  },
  writeToSupportAsVisitor: {
    summary: 'A message to support by somebody who is not signed in',
    body: z.strictObject({
      email: ruled((text) => checkEmail(normalizeEmail(text))).transform(normalizeEmail),
      message,
      context
    }),
    answer
  }
}
