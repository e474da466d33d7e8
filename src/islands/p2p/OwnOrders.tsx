import type { BookOrder } from '#lib/client/p2p/book.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { formatDay } from '#lib/format/dates.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'

/** The customer's own orders of the book: what of each is sold, and its place. Cancelling works without JavaScript. */
export function OwnOrders({ orders }: { orders: BookOrder[] }) {
  const own = orders.flatMap((order, index) => (order.is_own ? [{ order, place: index + 1 }] : []))
  if (own.length === 0) return null
  return (
    <section className="card roomy" aria-labelledby="own">
      <h2 id="own" className="section-title mb-2">
        {texts.yourOrder}
      </h2>
      <ul className="divide-y divide-line">
        {own.map(({ order, place }) => {
          const [listed, rest] = [BigInt(order.listed_asset_amount), BigInt(order.remaining_asset_amount)]
          const percent = Number(((listed - rest) * 100n) / listed)
          const coins = (units: bigint) => formatShortUnits(units, P2P_ASSET)
          const price = formatCoinPrice(order.price_per_coin, P2P_ASSET)
          return (
            <li key={order.id} className="own-order">
              <p>
                <b className="figure">{texts.sold(coins(listed - rest), `${coins(listed)} ${P2P_ASSET}`)}</b>
                <span className="figure">{percent}%</span>
              </p>
              <progress max={100} value={percent} aria-label={texts.sold(coins(listed - rest), coins(listed))} />
              <p>
                <span>
                  <span className="figure">{price}</span>, {texts.place(place)}
                </span>
                <span>{texts.endsOn(formatDay(order.expires_at))}</span>
              </p>
              <form method="post" action="/p2p">
                <input type="hidden" name="cancel" value={order.id} />
                <button type="submit" className="link min-h-11 text-sm">
                  {texts.cancelRest}
                  <span className="sr-only"> {price}</span>
                </button>
              </form>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
