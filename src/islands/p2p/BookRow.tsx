import type { BookOrder } from '#lib/client/p2p/book.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { checkPrice, differenceOf, grossOf } from '#lib/domain/p2p/settle.ts'
import { formatExactUnits, formatMoneyUnits, formatShortUnits } from '#lib/format/amount.ts'
import { formatCoinPrice, formatDifference, formatMonth } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { Button } from '../ui/Button.tsx'
import { Cell, Row, RowHead } from '../ui/List.tsx'
import { Tag } from '../ui/Tag.tsx'

type Props = {
  order: BookOrder
  reference: string | undefined
  /** What a purchase across the book would take of it; undefined if nothing. */
  taken: string | undefined
  isBest: boolean
  isClosed: boolean
  onBuy: () => void
}

/** An order of the book: the remaining amount, its cost, and the buttons. Cancelling works without JavaScript. */
export function BookRow({ order, reference, taken, isBest, isClosed, onBuy }: Props) {
  const { asset_currency: asset, settlement_currency: settlement, price_per_coin: pricePerCoin } = order
  const [rest, smallest] = [order.remaining_asset_amount, order.smallest_fill_amount]
  const price = formatCoinPrice(pricePerCoin, asset)
  const difference = reference ? differenceOf(decimal(pricePerCoin), decimal(reference)) : undefined
  const isFar = reference && checkPrice(decimal(pricePerCoin), decimal(reference)) !== 'near'
  const total = grossOf({ assetCurrency: asset, settlementCurrency: settlement, pricePerCoin }, BigInt(rest))
  return (
    <Row>
      <RowHead>
        <b className="figure">{price}</b>
        {difference !== undefined && (
          <small className={`figure ${isFar ? 'text-gold' : ''}`}>
            {formatDifference(difference)}
            {isFar && <span className="book-far">, {difference > 0 ? texts.farAbove : texts.farBelow}</span>}
          </small>
        )}
      </RowHead>
      <Cell>
        {order.is_own ? (
          <>
            <Tag tone="gold">{texts.owner}</Tag>
            <small className="figure">
              {texts.left(formatShortUnits(rest, asset), formatShortUnits(order.listed_asset_amount, asset))}
            </small>
          </>
        ) : (
          <>
            <span>{order.maker_nickname}</span>
            <small>{texts.trades(order.maker_trades, formatMonth(order.maker_since))}</small>
          </>
        )}
      </Cell>
      <Cell className="num">
        <span className="figure" title={`${formatExactUnits(rest, asset)} ${asset}`}>
          {formatShortUnits(rest, asset)} <span className="text-muted">{asset}</span>
        </span>
        {smallest !== rest && <small className="figure">{texts.from(formatShortUnits(smallest, asset))}</small>}
      </Cell>
      <Cell className="num">
        <span className="figure" title={`${formatExactUnits(total, settlement)} ${settlement}`}>
          {formatMoneyUnits(total, settlement)} <span className="text-muted">{settlement}</span>
        </span>
      </Cell>
      <Cell className="num book-act">
        {order.is_own ? (
          <form method="post" action="/p2p">
            <input type="hidden" name="cancel" value={order.id} />
            <button type="submit" className="button button-quiet" aria-label={texts.cancelAt(price)}>
              {texts.cancel}
            </button>
          </form>
        ) : taken !== undefined ? (
          <b className="book-taken figure">{texts.takes(formatShortUnits(taken, asset))}</b>
        ) : (
          <Button
            look={isBest ? 'primary' : 'quiet'}
            aria-label={texts.buyFrom(order.maker_nickname, price)}
            disabled={isClosed}
            onClick={onBuy}
          >
            {texts.buy}
          </Button>
        )}
      </Cell>
    </Row>
  )
}
