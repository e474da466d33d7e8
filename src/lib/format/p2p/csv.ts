import type { Answer } from '#lib/contract/types.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { p2pTexts } from '#messages/p2p/p2p.ts'
import { exactDecimal } from '../csv.ts'
import { formatExactMoment } from '../dates.ts'

type TradeLine = Answer<'listP2pTrades'>[number]

export function tradeRows(lines: TradeLine[], timeZone: string): string[][] {
  const { date, state, counterpart, amount, price, gross, fee, order } = p2pTexts.file
  const [asset, settlement] = [P2P_ASSET, P2P_SETTLEMENT]
  const head = [
    `${date} (${timeZone})`,
    state,
    counterpart,
    amount(asset),
    price(settlement),
    gross(settlement),
    fee(settlement),
    order
  ]
  const rows = lines.map((line) => [
    formatExactMoment(line.created_at, timeZone),
    line.label,
    line.counterpart,
    exactDecimal(line.asset_amount, line.asset_currency),
    line.price_per_coin,
    exactDecimal(line.gross_settlement_amount, line.settlement_currency),
    exactDecimal(line.settlement_fee_amount, line.settlement_currency),
    line.order_id
  ])
  return [head, ...rows]
}
