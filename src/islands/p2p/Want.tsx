import type { Plan } from '#lib/client/p2p/sweep.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { formatExactMoneyUnits, formatExactUnits, formatMoneyUnits } from '#lib/format/amount.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { Button } from '../ui/Button.tsx'
import { Thumb } from '../ui/Thumb.tsx'

type Props = {
  wanted: string
  onWanted: (text: string) => void
  /** What the wanted amount takes; undefined while nothing is wanted or it is not known yet. */
  plan: Plan | undefined
  /** The customer's settlement currency that can be used, in smallest units. */
  has: bigint
  isClosed: boolean
  onBuy: () => void
}

export const inCoins = (units: string | bigint) => `${formatExactUnits(units, P2P_ASSET)} ${P2P_ASSET}`
export const inMoney = (units: string | bigint) => `${formatExactMoneyUnits(units, P2P_SETTLEMENT)} ${P2P_SETTLEMENT}`

/** The smallest units of a typed amount; undefined for anything else. */
export function unitsOf(wanted: string): bigint | undefined {
  const read = readAmount(wanted, decimalsOf(P2P_ASSET))
  return 'units' in read ? read.units : undefined
}

/** "I want 10,000 CPC": what they cost across the book. Without script it is a form that opens the page anew. */
export function Want({ wanted, onWanted, plan, has, isClosed, onBuy }: Props) {
  const isPlanned = plan !== undefined && plan.orders.length > 0
  const cost = plan ? inMoney(plan.grossSettlementAmount) : '–'
  const isMissing = isPlanned && BigInt(plan.grossSettlementAmount) > has
  const isShort = isPlanned && unitsOf(wanted) !== BigInt(plan.assetAmount)
  const facts = [
    [texts.youPay, isPlanned ? cost : '–'],
    [texts.average, isPlanned ? (plan.averagePrice ?? '–') : '–'],
    [texts.fromOrders, isPlanned ? texts.orderCount(plan.orders.length) : '–'],
    [texts.yourFee, `0.00 ${P2P_SETTLEMENT}`]
  ]
  return (
    <form
      action="/p2p"
      className="card want"
      aria-label={texts.want}
      onSubmit={(event) => {
        event.preventDefault()
        if (isPlanned && !isMissing && !isClosed) onBuy()
      }}
    >
      <label className="want-amount">
        <span className="text-sm font-medium">{texts.want}</span>
        <span className="relative block">
          <input
            className="input figure text-xl"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            aria-label={texts.wantLabel}
            aria-describedby="want-about"
            placeholder="0"
            value={wanted}
            onChange={(event) => onWanted(event.target.value)}
          />
          <span className="want-unit" aria-hidden="true">
            {P2P_ASSET}
          </span>
        </span>
      </label>
      <dl className="want-facts" aria-live="polite">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="figure">{value}</dd>
          </div>
        ))}
      </dl>
      {isPlanned ? (
        <Thumb label={texts.youPay} figure={cost}>
          <Button type="submit" look="on-hero" disabled={isClosed || isMissing}>
            {texts.buyAmount(inCoins(plan.assetAmount))}
          </Button>
        </Thumb>
      ) : (
        <button type="submit" className="button button-quiet" disabled={isClosed}>
          {texts.buy}
        </button>
      )}
      <p className="want-about" id="want-about">
        {isMissing ? (
          <span className="text-red">{texts.fundsMissing(P2P_SETTLEMENT)}</span>
        ) : isShort ? (
          <span className="text-gold">{texts.wantShort(inCoins(plan.assetAmount))}</span>
        ) : plan && !isPlanned ? (
          <span className="text-gold">{texts.wantNone}</span>
        ) : (
          texts.wantAbout
        )}{' '}
        <span className="eye">{texts.wantHas(`${formatMoneyUnits(has, P2P_SETTLEMENT)} ${P2P_SETTLEMENT}`)}</span>
      </p>
    </form>
  )
}
