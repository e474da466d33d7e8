import { z } from '@hono/zod-openapi'
import { moment } from './common.ts'

const rowId = z.string().regex(/^\d{1,18}$/)
const unseen = z.object({ unseen: z.number().int() })
const notice = z.object({
  id: rowId,
  at: moment,
  group: z.enum(['security', 'identity', 'orders', 'payments', 'rewards']),
  title: z.string(),
  /** The page it links to, as a path. */
  href: z.string(),
  isSeen: z.boolean()
})

export const noticesShapes = {
  countNotices: { summary: 'How many notices are new', answer: unseen },
  listNotices: {
    summary: 'What changed, newest first',
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(100).default(20),
      /** Notices older than the one with this id. */
      before: rowId.optional()
    }),
    answer: z.object({ notices: z.array(notice), next: rowId.nullable() })
  },
  seeNotices: {
    summary: 'The customer has seen the notices up to this one',
    body: z.strictObject({ upTo: rowId }),
    answer: unseen
  }
}
