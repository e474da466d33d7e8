import { z } from '@hono/zod-openapi'
import { ORDER_TERMS } from '#lib/domain/legal/terms.ts'
import { UNFIT_REASONS } from '#lib/domain/orders/order.ts'
import { checkPromoCode } from '#lib/domain/orders/promo.ts'
import { decimalText, done, moment, none, ruled, units } from './common.ts'

const configId = z.coerce.number().int().min(1).max(10_000)
const orderParams = z.object({ id: z.string().regex(/^RF\d{14}$/) })

const config = z.object({
  id: z.number().int(),
  created_at: moment,
  updated_at: moment,
  type: z.enum(['CPC', 'PTC']),
  name: z.string(),
  price: decimalText,
  ptc_price: decimalText.nullable(),
  is_on_sale: z.boolean(),
  max_sale_amount: units.nullable(),
  staking_month: z.number().int(),
  staking_rate_default: z.number().int(),
  staking_rate_bonus: z.number().int(),
  totalAmount: decimalText,
  cpcAmount: units,
  ptcAmount: units,
  ptcBonusAmount: units
})

const preview = z.object({
  comboConfigId: z.number().int(),
  name: z.string(),
  type: z.enum(['CPC', 'PTC']),
  fiatAmount: decimalText,
  fiatCurrency: z.literal('USD'),
  feeAmount: decimalText,
  totalAmount: decimalText,
  euroAmount: decimalText,
  euroRate: decimalText,
  euroRateSource: z.string(),
  euroRateAt: moment,
  cpcAverageWeightPrice: decimalText,
  ptcPrice: decimalText.nullable(),
  priceSource: z.string(),
  cpcAmount: units,
  ptcAmount: units,
  stakingMonth: z.number().int(),
  stakingRateDefault: z.number().int(),
  stakingRateBonus: z.number().int(),
  ptcBonusAmount: units
})

const order = z.object({
  id: z.string(),
  orderComboId: z.string(),
  comboConfigId: z.number().int(),
  name: z.string(),
  type: z.enum(['CPC', 'PTC']),
  status: z.number().int().min(0).max(2),
  createdAt: moment,
  updatedAt: moment,
  completedAt: moment.nullable(),
  /** `announcedAt`: when the customer said that they made the transfer. `arrivesBy`: when a regular transfer arrives at the latest. */
  announcedAt: moment.nullable(),
  arrivesBy: moment.nullable(),
  /** The versions of the terms accepted for this order, by the text's name, and when. */
  acceptedTerms: z.record(z.string(), z.string()).nullable(),
  termsAcceptedAt: moment.nullable(),
  cancelledAt: moment.nullable(),
  /** A payment that does not fit this order and is not decided yet; the amount in the smallest unit of its currency. */
  unfitPayment: z
    .object({
      reason: z.enum(UNFIT_REASONS),
      amountCents: units,
      currency: z.string(),
      receivedAt: moment,
      decideBy: moment
    })
    .nullable(),
  payableUntil: moment,
  fiatAmount: decimalText,
  fiatCurrency: z.literal('USD'),
  feeAmount: decimalText,
  totalAmount: decimalText,
  euroAmount: decimalText,
  euroToPay: decimalText,
  euroRate: decimalText,
  euroRateSource: z.string(),
  euroRateAt: moment,
  ptcAmount: units,
  ptcPrice: decimalText.nullable(),
  cpcAmount: units,
  cpcAverageWeightPrice: decimalText,
  priceSource: z.string(),
  priceFixedAt: moment.nullable(),
  stakingMonth: z.number().int(),
  stakingRateDefault: z.number().int(),
  stakingRateBonus: z.number().int(),
  stakingEndsAt: moment.nullable(),
  ptcBonusAmount: units,
  /** The days of the bonus's first and last release; null without a bonus, before the payment arrives and after the payouts were ended. */
  bonusReleases: z.object({ first: moment, last: moment }).nullable(),
  /** When we ended the remaining payouts of its stake or bonus, e.g. because its payment was taken back. */
  payoutsEndedAt: moment.nullable(),
  paymentMethod: z.string(),
  email: z.string(),
  bank: z.object({
    accountHolder: z.string(),
    currency: z.literal('EUR'),
    swift: z.string(),
    bankName: z.string(),
    euroIban: z.string(),
    bankAddress: z.string()
  })
})

export const ordersShapes = {
  listComboConfigs: {
    summary: 'The packages on sale',
    query: z.strictObject({ type: z.enum(['CPC', 'PTC']) }),
    answer: z.array(config)
  },
  getBonusOffer: {
    summary: 'The windows of the promotion, and the packages of the one that is open',
    answer: z.object({
      asOf: moment,
      /** `endsAt`: null for the last window, which stays open; `rate`: hundredths of a percent. */
      windows: z.array(z.object({ startsAt: moment, endsAt: moment.nullable(), rate: z.number().int() })),
      packages: z.array(config)
    })
  },
  previewCombo: { summary: 'What a package would cost and bring now', params: z.object({ id: configId }), answer: preview },
  checkPromoCode: {
    summary: 'Whether a promo code opens the bonus packages',
    body: z.strictObject({ code: ruled(checkPromoCode).transform((text) => text.trim()) }),
    answer: done
  },
  createOrder: {
    summary: 'Answers the open order for a package, or makes one',
    body: z.strictObject({ comboConfigId: z.number().int().min(1).max(10_000), bankAccountId: z.literal(1) }),
    answer: order
  },
  listOrders: {
    summary: "The customer's orders, newest first",
    query: z.strictObject({
      limit: z.coerce.number().int().min(1).max(600).default(10),
      offset: z.coerce.number().int().min(0).max(100_000).default(0)
    }),
    answer: z.object({ results: z.array(order), total: z.number().int() })
  },
  getOrder: { summary: 'One order', params: orderParams, answer: order },
  acceptOrderTerms: {
    summary: 'Accept the terms of an order in the versions that were shown; it keeps them',
    params: orderParams,
    body: z.strictObject({ versions: z.record(z.enum(ORDER_TERMS), z.string().max(20)) }),
    answer: order
  },
  cancelOrder: { summary: 'Cancel an order that is not announced', params: orderParams, body: none, answer: order },
  declarePaid: {
    summary: 'The customer says that the transfer was made',
    params: orderParams,
    body: z.strictObject({ orderComboId: z.string().max(40).optional() }),
    answer: order
  }
}
