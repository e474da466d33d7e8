import { z } from '@hono/zod-openapi'
import { DEPOSIT_NOTES, DEPOSIT_STATUSES } from '#lib/domain/deposits/deposit.ts'
import { done, moment, paged, partyDetails, units } from './common.ts'

const deposit = z.object({
  id: z.string(),
  blockchain: z.string(),
  /** A token's code, or the contract address of a token that we don't support. */
  currency: z.string(),
  amount: units,
  /** Only for Bitcoin and CPC. */
  txId: z.string().optional(),
  /** Only for Ethereum. */
  transactionHash: z.string().optional(),
  receiver: z.string(),
  accountRs: z.string().optional(),
  p2wpkh_address: z.string().optional(),
  status: z.enum(DEPOSIT_STATUSES),
  /** Why it is not credited; null if nothing prevents it. */
  note: z.enum(DEPOSIT_NOTES).nullable(),
  /** What the small deposits at its address still lack to be credited together; null for others, and for one that does not count. */
  missing: units.nullable(),
  confirmations: z.number().int(),
  confirmationsNeeded: z.number().int(),
  createdAt: moment,
  creditedAt: moment.nullable()
})

export const depositsShapes = {
  listDeposits: {
    summary: 'What arrived at the addresses of the customer, newest first',
    // Without a page, the newest 600.
    query: z.strictObject({ ...paged, size: z.coerce.number().int().min(1).max(600).default(600) }),
    answer: z.array(deposit)
  },
  giveDepositAddress: {
    summary: 'The address to send a token to; a new one of Bitcoin where it is asked for',
    body: z.strictObject({ currency: z.string().min(1).max(20), isNew: z.boolean().default(false) }),
    answer: z.object({
      blockchain: z.string(),
      address: z.string(),
      accountId: z.string().nullable(),
      publicKey: z.string().nullable()
    })
  },
  giveDepositDetails: {
    summary: 'Who sent a deposit above EUR 1,000',
    params: z.strictObject({ id: z.string().regex(/^\d{1,18}$/) }),
    body: partyDetails,
    answer: done
  },
  getDepositRules: {
    summary: 'The smallest deposit of each token and how many confirmations it needs',
    answer: z.object({ smallest: z.record(z.string(), units), confirmations: z.record(z.string(), z.number().int()) })
  }
}
