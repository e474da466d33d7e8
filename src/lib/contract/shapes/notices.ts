import { z } from '@hono/zod-openapi'
import { NOTICE_AREAS, NOTICE_KINDS } from '#lib/domain/notices/kinds.ts'
import { moment } from './common.ts'

const rowId = z.string().regex(/^\d{1,18}$/)
const unseen = z.object({ unseen: z.number().int() })
const notice = z.object({
  id: rowId,
  at: moment,
  group: z.enum(['security', 'identity', 'orders', 'payments', 'rewards']),
  kind: z.enum(NOTICE_KINDS),
  title: z.string(),
  /** The first sentences of its mail; null where the mail has only figures. */
  about: z.string().nullable(),
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
      before: rowId.optional(),
      /** `true`: only those that are new. */
      unseen: z.stringbool().default(false),
      area: z.enum(NOTICE_AREAS).optional()
    }),
    answer: z.object({ notices: z.array(notice), next: rowId.nullable() })
  },
  seeNotices: {
    summary: 'The customer has seen the notices up to one, or opened a single one',
    body: z.union([z.strictObject({ upTo: rowId }), z.strictObject({ only: rowId })]),
    answer: unseen
  }
}
