/** The lines of the tabs Ongoing and History: the customer's own orders, and their trades as buyer and as seller. */
import type { Answer } from '#lib/contract/types.ts'
import { writeDecimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET, type P2pLabel } from '#lib/domain/p2p/order.ts'
import { averagePrice } from '#lib/domain/p2p/settle.ts'
import { formatMoneyUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import type { Tone } from '#lib/format/tone.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'

type Order = Answer<'listOwnP2pOrders'>[number]
type Trade = Answer<'listP2pTrades'>[number]
export type TradeLine = { order: Order; trade: undefined; at: string } | { order: undefined; trade: Trade; at: string }

/** The lines of the history, newest first: trades, and orders that ended before they were sold. */
export function pastOf(own: Order[], trades: Trade[]): TradeLine[] {
  const ended = own.filter(({ status }) => status === 'CANCELLED')
  const lines: TradeLine[] = [
    ...ended.map((order) => ({ order, trade: undefined, at: order.cancelled_at ?? order.created_at })),
    ...trades.map((trade) => ({ order: undefined, trade, at: trade.created_at }))
  ]
  return lines.toSorted((a, b) => b.at.localeCompare(a.at))
}

export function openOf(own: Order[]): TradeLine[] {
  return own.filter(({ status }) => status === 'PENDING').map((order) => ({ order, trade: undefined, at: order.created_at }))
}

/** The fields of an order that the book shows. */
export function inBook(order: Answer<'listP2pOrders'>[number]) {
  const { id, asset_currency, settlement_currency, listed_asset_amount, remaining_asset_amount, smallest_fill_amount } = order
  const { expires_at, maker_trades, maker_since } = order
  const { price_per_coin, fee_basis_points, maker_nickname, is_own } = order
  return {
    id,
    asset_currency,
    settlement_currency,
    listed_asset_amount,
    remaining_asset_amount,
    smallest_fill_amount,
    price_per_coin,
    fee_basis_points,
    expires_at,
    maker_nickname,
    maker_trades,
    maker_since,
    is_own
  }
}

export const TRADE_TONES: Record<P2pLabel, Tone> = {
  SELLING: 'gold',
  SOLD: 'blue',
  BOUGHT: 'green',
  CANCELLED: 'grey',
  COMPLETED: 'grey'
}

/** The amount that the customer received or paid in a trade: `+100.98 USDC` after the fee, `−249 USDC`. */
export function tradeNet({ label, gross_settlement_amount: gross, settlement_fee_amount: fee, ...trade }: Trade): string {
  const units = label === 'SOLD' ? BigInt(gross) - BigInt(fee) : BigInt(gross)
  const currency = trade.settlement_currency
  return `${label === 'SOLD' ? '+' : '−'}${formatMoneyUnits(units, currency)} ${currency}`
}

/** `Average price: bought 0.04980 USDC, sold 0.05100 USDC.`; undefined without trades. */
export function averageTexts(trades: Trade[]): string | undefined {
  const parts = (['BOUGHT', 'SOLD'] as const).flatMap((label) => {
    const own = trades.filter((trade) => trade.label === label)
    const price = averagePrice(
      own.map((trade) => ({ amount: BigInt(trade.asset_amount), gross: BigInt(trade.gross_settlement_amount) }))
    )
    if (!price) return []
    const shown = formatCoinPrice(writeDecimal(price), P2P_ASSET)
    return label === 'BOUGHT' ? texts.averageBought(shown) : texts.averageSold(shown)
  })
  return parts.length > 0 ? texts.averages(parts.join(', ')) : undefined
}
