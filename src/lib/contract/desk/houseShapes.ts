/** Shapes of the calls of the page House, and of those that halt and resume chains. */
import { z } from '@hono/zod-openapi'
import { CHAINS, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { HOUSE_KINDS } from '#lib/domain/ledger/holdings.ts'
import {
  coinsTyped,
  day,
  done,
  moment,
  proposed,
  reference,
  rowNumber,
  type SomeShapes,
  stop,
  units,
  uuid,
  why
} from './parts.ts'

const byChain = { params: z.strictObject({ chain: z.enum(CHAINS) }) }
/** The newest stop that was looked at: those that came after it stay. */
const upTo = z.string().regex(/^\d{1,18}$/)
/** The number of a customer, or the address of their page here. */
const number = z
  .string()
  .trim()
  .max(300)
  // Where something was typed, it names somebody: the address of a list does not.
  .transform((text) => (text === '' ? '' : text.replace(/^.*\/customers\/?/, '') || 'nobody'))
  .pipe(uuid.or(z.literal('')))
  .default('')

export const houseShapes = {
  getHouse: {
    answer: z.object({
      /** Jobs that gave up. */
      jobs: z.array(
        z.object({
          id: z.string(),
          kind: z.string(),
          tries: z.number().int(),
          failedAt: moment,
          error: z.string(),
          mayRetry: z.boolean()
        })
      ),
      doubts: z.array(
        z.object({ currency: z.string(), priceUsd: z.string(), usedUsd: z.string(), reason: z.string(), foundAt: moment })
      ),
      /** Lost payments that staff still have to decide about. Whom each one paid is not shown: the database has only a hash of it. */
      lost: z.array(
        z.object({
          id: z.string(),
          currency: z.string(),
          amount: units,
          receiver: z.string(),
          signedAt: moment,
          state: z.enum(['to_broadcast', 'under_way', 'paid'])
        })
      ),
      reading: z.array(z.object({ chain: z.enum(CHAINS), height: z.number().int().nullable(), stops: z.array(stop) })),
      fund: z.array(z.object({ currency: z.string(), has: units, dueIn30Days: units, dueIn100Days: units })),
      /** Coins that were sent to us and are nobody's yet. */
      coins: z.array(
        z.object({ id: z.string(), isKnown: z.boolean(), currency: z.string(), amount: units, about: z.string(), at: moment })
      ),
      /** The balance of each account of the house, in smallest units (EUR: cents). Negative: the house owes this amount. */
      books: z.array(z.object({ currency: z.string(), kind: z.string(), amount: z.string().regex(/^-?\d{1,78}$/) })),
      documents: z.object({
        /** What the last try failed with; null where none did. */
        error: z.string().nullable(),
        /** Quarters whose statements are not all made. */
        quarters: z.array(z.object({ quarter: z.string(), closedAt: moment, made: z.number().int() })),
        /** Completed orders without a receipt, at most 100. */
        withoutReceipt: z.array(z.object({ orderId: z.string(), customerId: z.string(), completedAt: moment }))
      }),
      /** The legal texts in force, and how many customers or orders have accepted this version, of how many. */
      terms: z.array(
        z.object({
          title: z.string(),
          version: z.string(),
          effective: z.string(),
          by: z.enum(['customers', 'orders']),
          accepted: z.number().int(),
          of: z.number().int()
        })
      ),
      /** How many customers entered each promo code, the one that was entered last first. */
      promo: z.array(z.object({ customers: z.number().int(), first: moment, last: moment }))
    })
  },
  listLines: {
    query: z.strictObject({
      kind: z.enum(HOUSE_KINDS),
      currency: z.string().regex(/^[A-Z]{2,10}$/),
      /** Of one day only, UTC. */
      day: day.optional(),
      before: rowNumber.optional()
    }),
    answer: z.object({
      /** Now, below zero where we owe or where the coins themselves lie. */
      balance: z.string().regex(/^-?\d{1,78}$/),
      lines: z.array(
        z.object({
          id: z.string(),
          at: moment,
          reason: z.string(),
          /** What it was booked for, e.g. the reference of an order. */
          source: z.string(),
          amount: z.string().regex(/^-?\d{1,78}$/),
          counterpart: z.string(),
          customerId: z.string().nullable()
        })
      ),
      next: z.string().nullable()
    })
  },
  proposePrice: {
    params: z.strictObject({ currency: z.enum(DEPOSITABLE) }),
    body: z.strictObject({ priceUsd: z.string().regex(/^\d{1,12}(\.\d{1,24})?$/), why }),
    answer: proposed
  },
  retryJob: { params: z.strictObject({ id: rowNumber }), body: z.strictObject({ why }), answer: done },
  proposeFund: {
    params: z.strictObject({ currency: z.enum(['CPC', 'PTC']) }),
    body: z.strictObject({ amount: coinsTyped, why }),
    answer: proposed
  },
  /** `customer`: the number of the customer who gets them; empty: our treasury. */
  proposeCoins: {
    params: z.strictObject({ id: z.string().regex(/^(deposit|surplus):[1-9]\d{0,17}$/) }),
    body: z.strictObject({ customer: number, why }),
    answer: proposed
  },
  proposeTakeBack: { body: z.strictObject({ orderId: reference, why }), answer: proposed },
  /** `customer`: who was paid, and now pays for it; empty: the payment is broadcast, and is our loss. */
  proposeLost: {
    params: z.strictObject({ id: uuid }),
    body: z.strictObject({ customer: number, why }),
    answer: proposed
  },
  haltChain: { ...byChain, body: z.strictObject({ why }), answer: done },
  haltAllChains: { body: z.strictObject({ why }), answer: done },
  stopReading: { ...byChain, body: z.strictObject({ why }), answer: done },
  proposeResume: { ...byChain, body: z.strictObject({ why, upTo }), answer: proposed },
  /** `fromBlock`: it is read again from there on; empty: where it stopped. */
  proposeReading: {
    ...byChain,
    body: z.strictObject({
      why,
      upTo,
      fromBlock: z
        .string()
        .regex(/^\d{0,9}$/, 'The number of a block.')
        .default('')
    }),
    answer: proposed
  }
} satisfies SomeShapes
