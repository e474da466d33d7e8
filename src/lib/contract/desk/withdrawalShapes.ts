/** Shapes of the desk's calls about withdrawals, and about payments that no block takes. */
import { z } from '@hono/zod-openapi'
import { CHAINS } from '#lib/domain/chains/chains.ts'
import { WAIT_REASONS, WITHDRAWAL_STATES } from '#lib/domain/withdrawals/withdrawal.ts'
import { coinsTyped, done, moment, type SomeShapes, stop, units, uuid, why } from './parts.ts'

const decision = z.object({ decision: z.string(), actor: z.string(), why: z.string(), decidedAt: moment, isSigned: z.boolean() })
const withdrawal = z.object({
  id: z.string(),
  customerId: z.string(),
  currency: z.string(),
  chain: z.enum(CHAINS),
  amount: units,
  fee: units,
  usdCents: units,
  receiver: z.string(),
  state: z.enum(WITHDRAWAL_STATES),
  waits: z.enum(WAIT_REASONS).nullable(),
  requestedAt: moment,
  /** Persons who have approved it, and how many it takes. */
  approvals: z.number().int(),
  personsNeeded: z.number().int(),
  /** Facts that a person should know before they approve it. */
  signs: z.array(z.object({ sign: z.string(), at: moment.nullable(), isBad: z.boolean() }))
})
const stuck = z.object({
  id: z.string(),
  purpose: z.string(),
  chain: z.enum(CHAINS),
  currency: z.string(),
  amount: units,
  receiver: z.string(),
  nonce: z.string().nullable(),
  attempts: z.number().int(),
  /** Of the newest attempt, and what the signer would pay at most by itself. */
  fee: units,
  cap: units,
  signedAt: moment,
  error: z.string().nullable(),
  mayOrder: z.boolean(),
  orders: z.array(
    z.object({
      kind: z.enum(['bump', 'cancel']),
      mostFee: units,
      actor: z.string(),
      why: z.string(),
      orderedAt: moment,
      isOver: z.boolean(),
      persons: z.number().int(),
      personsNeeded: z.number().int()
    })
  )
})
const byWithdrawal = { params: z.strictObject({ id: uuid }) }

export const withdrawalShapes = {
  listWithdrawals: {
    query: z.strictObject({ filter: z.enum(['waiting', 'underway', 'all']).default('all') }),
    answer: z.object({
      withdrawals: z.array(withdrawal),
      /** Payments out of our wallets that no block takes. Fees are in the chain's own token. */
      stuck: z.array(stuck),
      chains: z.array(z.object({ chain: z.enum(CHAINS), stops: z.array(stop) })),
      /** What the signer signs in 24 hours, and what is left of it, by this process's setting. */
      signer: z.object({ dayCents: units, leftCents: units })
    })
  },
  getWithdrawal: {
    ...byWithdrawal,
    answer: withdrawal.extend({
      decisions: z.array(decision),
      /** How often we have paid this address before, and how many other customers have it in their address book. */
      paidBefore: z.number().int(),
      otherCustomers: z.number().int()
    })
  },
  approveWithdrawal: { ...byWithdrawal, body: z.strictObject({ why }), answer: done },
  rejectWithdrawal: { ...byWithdrawal, body: z.strictObject({ why }), answer: done },
  bumpPayment: { ...byWithdrawal, body: z.strictObject({ most: coinsTyped, why }), answer: done },
  cancelPayment: { ...byWithdrawal, body: z.strictObject({ most: coinsTyped, why }), answer: done }
} satisfies SomeShapes
