import type { Market as Prices } from '#lib/client/p2p/book.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { drawValues, HEIGHT, WIDTH } from '../ui/lineChart.ts'

/** Hundred-thousandths of a USDC, the digits that a price is shown with; only for drawing. */
const PRICE_UNITS = 100_000
const SHOWN = 5

/** The price of trades over 30 days, and the last trades. */
export function Market({ market: { days, last }, timeZone }: { market: Prices; timeZone: string }) {
  return (
    <section className="card roomy" aria-labelledby="prices">
      <h2 id="prices" className="section-title">
        {texts.priceLine}
      </h2>
      <p className="text-sm text-muted">{aboutOf(days)}</p>
      <PriceLine days={days} />
      {last.length > 0 && (
        <>
          <h3 className="mt-5 mb-1.5 text-sm font-medium">{texts.lastTrades}</h3>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari forgets a list without bullets */}
          <ul className="trade-lines figure" role="list">
            {last.slice(0, SHOWN).map(({ at, price, assetAmount }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: trades of one moment are alike
              <li key={index}>
                <span className="text-muted">{formatMoment(at, timeZone)}</span>
                <span>{price}</span>
                <span>
                  {formatShortUnits(assetAmount, P2P_ASSET)} {P2P_ASSET}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** A line needs two days. */
function aboutOf(days: Prices['days']): string {
  const [first, second] = days
  if (!first) return texts.noTrades
  return second ? texts.priceAbout : texts.priceOfDay(formatDay(first.day), first.price)
}

function PriceLine({ days }: Pick<Prices, 'days'>) {
  const drawn = drawValues(
    days.map(({ day, price }) => ({ day, value: Number(price) * PRICE_UNITS })),
    1,
    (value) => (value / PRICE_UNITS).toFixed(5)
  )
  const [first, newest] = [days[0], days.at(-1)]
  if (!drawn || !first || !newest) return null
  const label = `${texts.priceLabel(formatDay(first.day), formatDay(newest.day))}: ${first.price}, ${newest.price}`
  return (
    <div className="line">
      <div className="line-plot">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          {drawn.ticks.map(({ y }) => (
            <path key={y} className="line-grid" d={`M0 ${y}H${WIDTH}`} />
          ))}
          <path className="line-area" d={drawn.area} />
          <path className="line-path" d={drawn.line} />
          <path className="line-end" d={`M${WIDTH} ${drawn.end}h0`} />
        </svg>
        <svg className="line-scale figure" aria-hidden="true">
          {drawn.ticks.map(({ share, label: shown }) => (
            <text key={share} x="100%" y={share}>
              {shown}
            </text>
          ))}
        </svg>
      </div>
      <p className="line-days figure" aria-hidden="true">
        <span>{formatDay(first.day)}</span>
        <span>{formatDay(newest.day)}</span>
      </p>
    </div>
  )
}
