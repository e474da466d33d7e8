import { z } from '@hono/zod-openapi'
import { decimalText } from './common.ts'

export const stakingShapes = {
  getStakingTotal: {
    summary: 'What the staked packages cost',
    answer: z.object({ totalUsd: decimalText, orders: z.number().int() })
  }
}
