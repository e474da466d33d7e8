import { z } from '@hono/zod-openapi'
import { DISPLAY_CURRENCIES } from '#lib/domain/access/settings.ts'
import { LINE_KINDS, STATEMENT_ACCOUNTS } from '#lib/domain/ledger/statement.ts'
import { RANGES } from '#lib/domain/wallet/valueLine.ts'
import { decimalText, moment, signed, units } from './common.ts'

const day = z.iso.date().refine((text) => text >= '1970')
const fundingBalance = z.object({ total: units, frozen_balance: units })
const balance = z.object({
  currency: z.string(),
  name: z.string(),
  subName: z.string(),
  iconImage: z.string(),
  type: z.string(),
  mainBalance: units,
  /** Everything the customer has of this token: spot, funding total, and the balances below. */
  totalBalance: units,
  rewardBalance: units,
  stakedBalance: units,
  lockedBalance: units,
  outgoingBalance: units,
  accountId: z.string().nullable(),
  accountRs: z.string().nullable(),
  publicKey: z.string().nullable(),
  address: z.string().nullable(),
  p2wpkh_address: z.string().nullable(),
  wallet: z.object({ spotBalance: units, fundingBalance })
})
const transfer = z.strictObject({ currency: z.string().min(1).max(20), amount: units })
const line = z.object({
  id: z.string(),
  at: moment,
  kind: z.enum(LINE_KINDS),
  /** Signed: positive if added to the account, negative if taken from it. */
  amount: z.string().regex(/^-?\d{1,78}$/),
  balanceAfter: units,
  counterpart: z.object({ owner: z.enum(['you', 'house', 'customer']), account: z.string() }),
  orderId: z.string().nullable()
})

/** Of one token, in cents of the display currency: `paid + prices + rewards + unpriced + unpaid = value`. */
const cost = z.object({
  currency: z.string(),
  value: units,
  /** Bought units that the customer still has, what they cost without their fees, and each on average; null if there are none. */
  boughtUnits: units,
  paid: units,
  fees: units,
  averagePrice: decimalText.nullable(),
  /** What the bought units are worth now, less what was paid. */
  prices: signed,
  /** The value of rewards, which cost nothing. */
  rewards: units,
  /** The value of units that came without a known price, and of units whose payment the bank took back: they are in no gain. */
  unpricedUnits: units,
  unpriced: units,
  unpaidUnits: units,
  unpaid: units,
  /** `prices + rewards`. */
  gain: signed,
  /** The change of the price since the end of yesterday (UTC), in hundredths of a percent; null if that price is not known. */
  dayChange: z.number().int().nullable()
})

export const walletShapes = {
  getBalance: { summary: 'What the customer holds, by token', answer: z.record(z.string(), balance) },
  moveSpotToFunding: { summary: 'Move an amount from spot to funding', body: transfer, answer: balance },
  moveFundingToSpot: { summary: 'Move an amount from funding to spot', body: transfer, answer: balance },
  moveRewardToSpot: { summary: 'Move an amount of rewards to spot', body: transfer, answer: balance },
  getStatement: {
    summary: 'The lines that a figure is the sum of, newest first',
    query: z.strictObject({
      currency: z.string().min(1).max(20),
      account: z.enum(STATEMENT_ACCOUNTS).default('total'),
      kind: z.enum(LINE_KINDS).optional(),
      from: day.optional(),
      to: day.optional(),
      limit: z.coerce.number().int().min(1).max(10_000).default(20),
      /** Lines older than the one with this id (`next` of the previous page). */
      before: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      /** Lines newer than the one with this id (`previous` of the previous page). */
      after: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional()
    }),
    answer: z.object({
      currency: z.string(),
      account: z.enum(STATEMENT_ACCOUNTS),
      balance: units,
      lines: z.array(line),
      /** For `before`, to read older lines; null on the last page. */
      next: z.string().nullable(),
      /** For `after`, to read newer lines; null on the first page. */
      previous: z.string().nullable()
    })
  },
  getValueLine: {
    summary: 'What the tokens were worth, day by day',
    query: z.strictObject({
      range: z.enum(RANGES).default('1M'),
      in: z.enum(DISPLAY_CURRENCIES).default('USD'),
      /** One token; without it, the sum of all tokens. */
      currency: z.string().min(1).max(20).optional()
    }),
    answer: z.object({
      points: z.array(z.object({ day: z.iso.date(), cents: units })),
      /**
       * Why the value changed since the first point, or since the first booking where the range begins with it: cents, signed. The four add up to
       * `total`. Null where it is not known: too many bookings, or no prices.
       */
      change: z
        .object({ total: signed, paid: signed, prices: signed, trades: signed, rewards: signed, isSinceStart: z.boolean() })
        .nullable()
    })
  },
  getCost: {
    summary: 'What was paid for the tokens that the customer has, first in, first out',
    query: z.strictObject({ in: z.enum(DISPLAY_CURRENCIES).default('USD') }),
    answer: z.object({
      /** Null where there are too many lines to work it out at once. Tokens without a price are left out. */
      tokens: z.array(cost).nullable()
    })
  },
  getSupportedTokens: {
    summary: 'Digits and prices of every token',
    answer: z.object({
      supportedTokens: z.record(z.string(), z.number().int()),
      prices: z.record(z.string(), decimalText),
      /** EUR for one USD, for values in euro. */
      eurPerUsd: decimalText,
      pricedAt: moment,
      source: z.string()
    })
  }
}
