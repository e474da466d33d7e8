import { z } from '@hono/zod-openapi'
import { DOCUMENT_KINDS } from '#lib/domain/documents/periods.ts'
import { moment } from './common.ts'

export const documentsShapes = {
  listDocuments: {
    summary: "The customer's statements and tax reports, newest first",
    answer: z.array(
      z.object({
        kind: z.enum(DOCUMENT_KINDS),
        /** A quarter, e.g. `2026-Q4`, or a year. */
        period: z.string(),
        lines: z.number().int(),
        createdAt: moment
      })
    )
  },
  verifyReceipt: {
    summary: 'Whether a receipt is genuine, by its verification code',
    body: z.strictObject({ code: z.string().min(1).max(100) }),
    answer: z.object({
      /** The order's number. */
      number: z.string(),
      package: z.string(),
      completedAt: moment,
      state: z.enum(['completed', 'reversed'])
    })
  }
}
