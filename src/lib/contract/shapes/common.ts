import { z } from '@hono/zod-openapi'
import type { FieldError } from '#lib/domain/fields.ts'
import { readDecimal } from '#lib/domain/money/decimal.ts'

/** An amount in smallest units: a whole number as text, at most 78 digits as in the database. */
export const units = z.string().regex(/^\d{1,78}$/)
/** The same with a sign, for changes. */
export const signed = z.string().regex(/^-?\d{1,78}$/)
/** A decimal as text, e.g. `1040.00`. */
export const decimalText = z.string().refine((text) => readDecimal(text) !== undefined)
export const moment = z.iso.datetime()
export const none = z.strictObject({})

/** A text field checked by a rule of `domain`; the issue's message is the rule's error code, which `messages` turns into a sentence. */
export function ruled(check: (text: string) => FieldError | undefined) {
  return z.string().superRefine((text, context) => {
    const code = check(text)
    if (code) context.addIssue({ code: 'custom', message: code })
  })
}

/** The answer of a call without data: a sentence for the customer. */
export const done = z.object({ message: z.string() })
/** A stream of server-sent events: the handler returns the Response itself. */
export const eventStream = z.instanceof(Response).openapi({ type: 'string', format: 'text/event-stream' })
/** A page of a list. */
export const paged = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  size: z.coerce.number().int().min(1).max(100).default(10)
}

const line = z.string().trim().min(1).max(200)
/**
 * The receiver of a withdrawal, or the sender of a deposit, above EUR 1,000. For the customer (`self`) the server keeps the name of the
 * identity check. A name in the call counts only if the check gave none. With the holder `service`, the company that holds the wallet is named.
 */
export const partyDetails = z
  .strictObject({
    party: z.enum(['self', 'other']),
    name: line.optional(),
    address: line.optional(),
    holder: z.enum(['own', 'service']).optional(),
    service: line.optional()
  })
  .refine(({ party, name }) => party === 'self' || name !== undefined, { path: ['name'] })
  .refine(({ party, address }) => party === 'self' || address !== undefined, { path: ['address'] })
  .refine(({ holder, service }) => holder !== 'service' || service !== undefined, { path: ['service'] })
