import { z } from '@hono/zod-openapi'
import { checkEmail, normalizeEmail } from '#lib/domain/access/credentials.ts'
import { LONGEST_MESSAGE, MOST_CONTEXT_LINES } from '#lib/domain/help/message.ts'
import { ruled } from './common.ts'

const line = z.string().trim().min(1).max(300)
const message = z.string().trim().min(1).max(LONGEST_MESSAGE)
/** What goes with the message; the sender has seen it. */
const context = z
  .array(z.strictObject({ label: line, value: line }))
  .max(MOST_CONTEXT_LINES)
  .default([])
/** The number that the answer of support names. */
const answer = z.object({ number: z.string() })

export const helpShapes = {
  writeToSupport: { summary: 'A message to support', body: z.strictObject({ message, context }), answer },
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
