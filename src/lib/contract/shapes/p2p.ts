import { z } from '@hono/zod-openapi'
import { P2P_ASSET, P2P_DAYS, P2P_ENDS, P2P_LABELS, P2P_SETTLEMENT, P2P_STATUSES } from '#lib/domain/p2p/order.ts'
import { decimalText, done, eventStream, moment, none, paged, units } from './common.ts'

const code = z.string().min(1).max(20)
const order = z.object({
  id: z.string(),
  order_type: z.literal('SELL'),
  status: z.enum(P2P_STATUSES),
  /** The order's label for the viewer. */
  label: z.enum(P2P_LABELS),
  /** On the viewer's own orders their user id; otherwise a public id that reveals nothing about the seller. */
  maker_user_id: z.string(),
  /** Always null: an order may have several buyers, who are listed in the trades. */
  taker_user_id: z.string().nullable(),
  asset_currency: z.string(),
  settlement_currency: z.string(),
  listed_asset_amount: units,
  filled_asset_amount: units,
  remaining_asset_amount: units,
  /** The smallest part of the remaining amount that can be bought. */
  smallest_fill_amount: units,
  /** Settled so far, plus for an open order what the rest will settle. Includes the fee. */
  gross_settlement_amount: units,
  settlement_fee_amount: units,
  price_per_coin: decimalText,
  fee_basis_points: z.number().int(),
  maker_nickname: z.string(),
  /** How much the seller has sold in how many trades, counted up to 1,000, and since when they trade. */
  maker_trades: z.number().int(),
  maker_since: moment,
  is_own: z.boolean(),
  end_reason: z.enum(P2P_ENDS).nullable(),
  created_at: moment,
  expires_at: moment,
  completed_at: moment.nullable(),
  cancelled_at: moment.nullable()
})
const trade = z.object({
  id: z.string(),
  order_id: z.string(),
  label: z.enum(P2P_LABELS),
  /** Nickname of the other side. */
  counterpart: z.string(),
  asset_currency: z.string(),
  settlement_currency: z.string(),
  asset_amount: units,
  price_per_coin: decimalText,
  gross_settlement_amount: units,
  /** The seller pays it: 0 for the buyer. */
  settlement_fee_amount: units,
  created_at: moment
})
/** The fields of the specification; we added the last two. */
const terms = {
  orderType: z.literal('SELL'),
  assetCurrency: code,
  settlementCurrency: code,
  listedAssetAmount: units,
  pricePerCoin: z.string().max(100),
  settlementCurrencyType: z.literal('CRYPTO'),
  paymentMethod: z.literal('INTERNAL_CRYPTO_TRANSFER'),
  paymentDetails: z.union([z.literal(''), none]).optional(),
  smallestFillAmount: units.optional(),
  expiresInDays: z.union(P2P_DAYS.map((days) => z.literal(days))).default(30)
}
const bought = z.object({
  id: z.string(),
  orderId: z.string(),
  assetAmount: units,
  grossSettlementAmount: units,
  settlementFeeAmount: units
})
const id = z.strictObject({ id: z.uuid() })
const listed = { ...paged, size: z.coerce.number().int().min(1).max(600).default(600) }

export const p2pShapes = {
  getP2pRules: {
    summary: 'What a sale costs and how small it may be, the price to compare with, and the name that the customer trades under',
    answer: z.object({
      feeBasisPoints: z.number().int(),
      /** The smallest order, and the lower limit for an order's smallest part. */
      smallestAmount: units,
      /** USDC for one CPC by our rates; null without prices, and then nothing can be listed. */
      reference: decimalText.nullable(),
      pricedAt: moment.nullable(),
      /** Null until the first order or trade. */
      nickname: z.string().nullable(),
      openOrders: z.number().int()
    })
  },
  listP2pOrders: {
    summary: 'Open sell orders, best price first, at most 100',
    query: z.strictObject({
      assetCurrency: code.default(P2P_ASSET),
      settlementCurrency: code.default(P2P_SETTLEMENT),
      amount: units.optional()
    }),
    answer: z.array(order)
  },
  streamP2pOrders: {
    summary:
      'The book of CPC against USDC as server-sent events: `book` with all of it at first and after each change; `market`, the answer of getP2pMarket, after trades, at most once in five seconds',
    answer: eventStream
  },
  getP2pMarket: {
    summary: 'The price of trades by day in the last 30 days, and the last trades of all',
    answer: z.object({
      /** The UTC day of the answer. */
      today: z.iso.date(),
      /** UTC days with trades, oldest first; the average price of what was traded. */
      days: z.array(z.object({ day: z.iso.date(), price: decimalText, assetAmount: units, trades: z.number().int() })),
      /** Newest first, at most ten; without who traded. */
      last: z.array(z.object({ at: moment, price: decimalText, assetAmount: units }))
    })
  },
  previewP2pSweep: {
    summary: 'What buying an amount across the book would take and cost now',
    query: z.strictObject({ amount: units }),
    answer: z.object({
      orders: z.array(bought.pick({ orderId: true, assetAmount: true, grossSettlementAmount: true })),
      /** Less than what was asked for, where the book has less. */
      assetAmount: units,
      grossSettlementAmount: units,
      averagePrice: decimalText.nullable()
    })
  },
  sweepP2pBook: {
    summary: 'Buy an amount from the best orders, at most 20, all or none',
    /** The amount, the least of it that will do, and the most that it may cost. */
    body: z.strictObject({ amount: units, least: units, most: units }),
    answer: z.object({ trades: z.array(bought), assetAmount: units, grossSettlementAmount: units })
  },
  listOwnP2pOrders: { summary: "The customer's orders, newest first", query: z.strictObject(listed), answer: z.array(order) },
  listP2pTrades: { summary: "The customer's trades, newest first", query: z.strictObject(listed), answer: z.array(trade) },
  createP2pOrder: { summary: 'Sell: the amount is frozen', body: z.strictObject(terms), answer: z.object({ id: z.string() }) },
  previewP2pOrder: {
    summary: 'What buyers would pay for an order, and what of it the seller would get',
    body: z.strictObject(terms),
    answer: z.object({
      grossSettlementAmount: units,
      netSettlementAmount: units,
      settlementFeeAmount: units,
      feeBasisPoints: z.number().int()
    })
  },
  cancelP2pOrder: { summary: "Cancel an own open order: what is not sold yet is the customer's again", params: id, answer: done },
  fillP2pOrder: {
    summary: 'Buy of an order: all that is left, or an amount of it',
    params: id,
    body: z.strictObject({ amount: units.optional() }),
    answer: bought
  }
}
