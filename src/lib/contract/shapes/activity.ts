import { z } from '@hono/zod-openapi'
import { DISPLAY_CURRENCIES } from '#lib/domain/access/settings.ts'
import { ACTIVITY_FILTERS, ACTIVITY_KINDS, ACTIVITY_NAMES, DIRECTIONS, isCursor } from '#lib/domain/activity/kinds.ts'
import { moment, units } from './common.ts'

const line = z.object({
  id: z.string(),
  at: moment,
  kind: z.enum(ACTIVITY_KINDS),
  name: z.enum(ACTIVITY_NAMES),
  currency: z.string(),
  /** Smallest units, without a sign. */
  amount: units,
  direction: z.enum(DIRECTIONS),
  orderId: z.string().nullable(),
  /** Value at the time, in cents; null if no price of that day is known. */
  valueCents: units.nullable(),
  /** Values that complete the line's sentence, by name. */
  about: z.record(z.string(), z.unknown())
})

export const activityShapes = {
  listActivity: {
    summary: 'Everything that happened, newest first',
    query: z.strictObject({
      kind: z.enum(ACTIVITY_FILTERS).optional(),
      currency: z.string().min(1).max(20).optional(),
      /** Searches by token, amount or order; spaces and commas are ignored. */
      search: z.string().max(100).optional(),
      /** The currency of `valueCents`. */
      in: z.enum(DISPLAY_CURRENCIES).default('USD'),
      limit: z.coerce.number().int().min(1).max(500).default(20),
      /** Lines older than this cursor (`next` of the previous page). */
      before: z.string().refine(isCursor).optional()
    }),
    answer: z.object({ lines: z.array(line), next: z.string().nullable() })
  }
}
