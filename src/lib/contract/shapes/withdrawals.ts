import { z } from '@hono/zod-openapi'
import { HOLD_REASONS } from '#lib/domain/access/withdrawalGate.ts'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { LONGEST_REASON } from '#lib/domain/withdrawals/limit.ts'
import { WAIT_REASONS, WITHDRAWAL_STATES, WITHDRAWAL_STATUSES } from '#lib/domain/withdrawals/withdrawal.ts'
import { done, moment, paged, partyDetails, units } from './common.ts'

const withdrawal = z.object({
  id: z.string(),
  blockchain: z.string(),
  currency: z.string(),
  /** Includes the fee. */
  amount: units,
  fee: units,
  received: units,
  receiver: z.string(),
  accountRs: z.string().optional(),
  status: z.enum(WITHDRAWAL_STATUSES),
  /** More exact than `status`. */
  state: z.enum(WITHDRAWAL_STATES),
  /** Why an approved withdrawal is not sent yet. */
  waits: z.enum(WAIT_REASONS).nullable(),
  /** Why it was rejected. */
  why: z.string().nullable(),
  isCancellable: z.boolean(),
  /** Its value when it was requested. */
  usdCents: units,
  transactionId: z.string().nullable(),
  createdAt: moment,
  approvedAt: moment.nullable(),
  signedAt: moment.nullable(),
  endedAt: moment.nullable()
})
const address = z.string().min(1).max(120)
const publicKey = z.string().max(64)
const token = z.string().min(1).max(2000)

/** USD cents in 24 hours. */
const ownLimit = z.object({
  dayCents: units,
  usedCents: units,
  /** The most to which it can be raised. */
  mostCents: units,
  /** A raised limit ends by itself. */
  raisedUntil: moment.nullable(),
  request: z
    .object({
      askedCents: units,
      state: z.enum(['open', 'raised', 'refused']),
      askedAt: moment,
      dueAt: moment,
      answer: z.string().nullable()
    })
    .nullable()
})

export const withdrawalsShapes = {
  getOwnLimit: { summary: 'The limit of 24 hours, and the request for a higher one', answer: ownLimit },
  askForLimit: {
    summary: 'Asks for a higher limit; staff answer by mail',
    body: z.strictObject({ dayCents: units, why: z.string().trim().min(1).max(LONGEST_REASON) }),
    answer: done
  },
  listWithdrawals: {
    summary: 'The withdrawals of the customer, newest first',
    // Without a page, the newest 600.
    query: z.strictObject({ ...paged, size: z.coerce.number().int().min(1).max(600).default(600) }),
    answer: z.array(withdrawal)
  },
  withdrawCpc: {
    summary: 'Withdraw CPC',
    body: z.strictObject({
      blockchain: z.string().max(20),
      amount: units,
      accountId: z.string().max(20),
      accountRs: address,
      publicKey,
      details: partyDetails.optional()
    }),
    answer: withdrawal
  },
  withdrawEth: {
    summary: 'Withdraw ETH or USDC',
    body: z.strictObject({
      currency: z.enum(['ETH', 'USDC']),
      amount: units,
      receiver: address,
      details: partyDetails.optional()
    }),
    answer: withdrawal
  },
  withdrawBtc: {
    summary: 'Withdraw BTC',
    body: z.strictObject({ amount: units, address, details: partyDetails.optional() }),
    answer: withdrawal
  },
  getWithdrawalRules: {
    summary: 'Fees, limits and what is left of them, and what stands in the way of a withdrawal',
    answer: z.object({
      fees: z.record(z.string(), units),
      smallest: z.record(z.string(), units),
      /** `dayCents`: the limit for 24 hours in USD cents. `leftCents`: what is left of it. */
      dayCents: units,
      leftCents: units,
      approvalAboveCents: units,
      /** EUR cents requested in the last 24 hours: the receiver must be named where these and the new amount are above EUR 1,000. */
      linkedEuroCents: units,
      gate: z.object({ allowed: z.boolean(), reason: z.enum(HOLD_REASONS).nullable(), until: moment.nullable() }),
      whitelist: z.object({ isOn: z.boolean(), endsAt: moment.nullable() }),
      bitcoinNetwork: z.enum(['main', 'test', 'regtest']),
      cpcPrefix: z.string(),
      /** Deposits above EUR 1,000 without sender details yet: withdrawals wait for these. */
      depositsWithoutDetails: z.array(z.object({ id: z.string(), amount: units, currency: z.string() }))
    })
  },
  cancelWithdrawal: {
    summary: 'Take back a withdrawal that is not signed yet',
    params: z.strictObject({ id: z.uuid() }),
    answer: done
  },
  showWithdrawalLink: {
    summary: 'The withdrawal that the link of a mail is about',
    body: z.strictObject({ token }),
    answer: withdrawal
  },
  answerWithdrawalLink: {
    summary: 'Confirm the address of a withdrawal by the link of its mail, or cancel the withdrawal',
    body: z.strictObject({ token, isConfirmed: z.boolean() }),
    answer: withdrawal
  },
  listWithdrawalAddresses: {
    summary: 'The address book',
    answer: z.array(
      z.object({
        id: z.string(),
        blockchain: z.string(),
        chain: z.enum(CHAINS),
        address: z.string(),
        publicKey: z.string().nullable(),
        name: z.string(),
        isConfirmed: z.boolean(),
        listedFrom: moment.nullable(),
        isListed: z.boolean()
      })
    )
  },
  keepWithdrawalAddress: {
    summary: 'Keep an address under a name; on the whitelist it counts after 24 hours',
    body: z.strictObject({
      chain: z.enum(CHAINS),
      address,
      publicKey: publicKey.optional(),
      name: z.string().trim().max(60),
      isListed: z.boolean().default(false)
    }),
    answer: done
  },
  removeWithdrawalAddress: {
    summary: 'Remove an address: it must be confirmed by mail again before it is used',
    body: z.strictObject({ id: z.string().regex(/^\d{1,18}$/) }),
    answer: done
  },
  setWithdrawalWhitelist: {
    summary: 'Withdraw only to listed addresses: on at once, off after 24 hours',
    body: z.strictObject({ isOn: z.boolean() }),
    answer: done
  }
}
