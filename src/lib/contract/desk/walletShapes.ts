/** Shapes of the desk's calls about hot wallets, cold storage and what left them. Amounts in smallest units. */
import { z } from '@hono/zod-openapi'
import { CHAINS, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { coinsTyped, done, fileAnswer, moment, proposed, type SomeShapes, units, uuid, why } from './parts.ts'

const byToken = { params: z.strictObject({ currency: z.enum(DEPOSITABLE) }) }
const byRefill = { params: z.strictObject({ id: uuid }) }
/** The file of an offline wallet, base64: a transaction has a few kilobytes. */
const fileOf = z
  .string()
  .min(4, 'Choose the signed file.')
  .max(200_000, 'This is no signed transaction.')
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'This is no signed transaction.')

const wallet = z.object({
  currency: z.enum(DEPOSITABLE),
  chain: z.enum(CHAINS),
  /** By the last comparison with the chain; null before the first. */
  hot: units.nullable(),
  cold: units.nullable(),
  /** At customers' deposit addresses, not swept yet. */
  elsewhere: units.nullable(),
  usdCents: units.nullable(),
  /** The band: from the floor to the ceiling. */
  floor: units.nullable(),
  ceilingCents: units.nullable(),
  /** Withdrawals that the hot wallet must still pay. */
  open: units,
  state: z.enum(['low', 'in_band', 'high', 'unknown']),
  /** What brings a low one into its band. */
  refill: units,
  comparedAt: moment.nullable()
})
const refill = z.object({
  id: z.string(),
  currency: z.string(),
  amount: units,
  why: z.string(),
  /** The persons, in the order in which they agreed. */
  persons: z.array(z.string()),
  orderedAt: moment,
  state: z.enum(['for_third', 'to_write', 'to_sign', 'to_check', 'accepted', 'refused', 'ended']),
  /** What the offline machine must show. */
  pays: z.array(z.string()),
  /** Our hot wallet, as the signer has signed its address. */
  hotWallet: z.string().nullable(),
  refusal: z.string().nullable(),
  transactionId: z.string().nullable()
})
const send = z.object({
  id: z.string(),
  purpose: z.string(),
  chain: z.enum(CHAINS),
  currency: z.string(),
  amount: units,
  receiver: z.string(),
  state: z.enum(['signed', 'confirmed', 'failed']),
  attempts: z.number().int(),
  transactionId: z.string().nullable(),
  signedAt: moment,
  settledAt: moment.nullable()
})

export const walletShapes = {
  getWallets: {
    answer: z.object({
      wallets: z.array(wallet),
      refills: z.array(refill),
      moves: z.array(
        z.object({
          id: z.string(),
          currency: z.string(),
          amount: units,
          why: z.string(),
          persons: z.array(z.string()),
          orderedAt: moment,
          state: z.enum(['waits', 'signed', 'confirmed', 'failed', 'lapsed'])
        })
      )
    })
  },
  proposeColdMove: { ...byToken, body: z.strictObject({ amount: coinsTyped, why }), answer: proposed },
  proposeRefill: { ...byToken, body: z.strictObject({ amount: coinsTyped, why }), answer: proposed },
  agreeRefill: { ...byRefill, body: z.strictObject({ why }), answer: done },
  downloadRefill: { ...byRefill, body: z.strictObject({}), answer: fileAnswer },
  uploadRefill: { ...byRefill, body: z.strictObject({ name: z.string().max(200), file: fileOf }), answer: done },
  endRefill: { ...byRefill, body: z.strictObject({ why }), answer: done },
  listSends: {
    query: z.strictObject({
      chain: z.enum(CHAINS).optional(),
      before: z
        .string()
        .max(80)
        .regex(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z_[0-9a-f-]{36}$/)
        .optional()
    }),
    answer: z.object({ sends: z.array(send), next: z.string().nullable() })
  }
} satisfies SomeShapes
