import { z } from '@hono/zod-openapi'
import { decimalText, moment, paged, units } from './common.ts'

const reward = z.object({
  order_id: z.string(),
  token: z.string(),
  reward_amount: units,
  order_amount: decimalText,
  order_status: z.number().int(),
  createdAt: moment,
  /** When it may be moved to spot; null: now. */
  movableFrom: moment.nullable(),
  /** When it was taken back, because the payment of the order was. */
  takenBackAt: moment.nullable()
})

export const referralShapes = {
  listReferralRewards: {
    summary: 'What invitations brought, newest first',
    // Without a page, the newest 600.
    query: z.strictObject({ ...paged, size: z.coerce.number().int().min(1).max(600).default(600) }),
    answer: z.array(reward)
  },
  getReferralSummary: {
    summary: 'How many rewards and invitees there are',
    answer: z.object({ rewards: z.number().int(), invitees: z.number().int() })
  },
  listInvitees: {
    summary: 'Who signed up with the code, newest first',
    query: z.strictObject(paged),
    answer: z.object({ data: z.array(z.object({ id: z.string(), email: z.string() })), total: z.number().int() })
  }
}
