import { z } from '@hono/zod-openapi'
import { decimalText, moment } from './common.ts'

export const tokenShapes = {
  getSupportedTokens: {
    answer: z.object({
      supportedTokens: z.record(z.string(), z.number().int()),
      prices: z.record(z.string(), decimalText),
      pricedAt: moment,
      source: z.string()
    })
  }
}
