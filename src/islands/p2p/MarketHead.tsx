import { useStore } from '@nanostores/react'
import { Suspense, useState } from 'react'
import { book, type Market } from '#lib/client/p2p/book.ts'
import type { Balances } from '#lib/contract/types.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { tradesToday } from '#lib/domain/p2p/market.ts'
import { P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { differenceOf } from '#lib/domain/p2p/settle.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { formatCents, formatShortUnits } from '#lib/format/amount.ts'
import { formatCoinPrice, formatDifference } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { Button } from '../ui/Button.tsx'
import { fundsOf, type Rules } from './market.ts'
import { useBalances } from './useBalances.ts'
import { useNewerMarket } from './useNewerMarket.ts'

const Sell = lazyPart(() => import('./Sell.tsx'))

type Props = {
  balances: Balances
  /** USD, by token. */
  prices: Record<string, string>
  rules: Rules
  /** The best price when the page was made. */
  best: string | undefined
  /** The trades of this day, UTC, when the page was made; undefined without any. */
  today: Market['days'][number] | undefined
  /** The price of the last trade then. */
  last: string | undefined
  /** The version of the market that both are of. */
  shownMarket: string
  email: string
  isClosed: boolean
}

function besideReference(best: string, reference: string): string {
  const difference = differenceOf(decimal(best), decimal(reference))
  const percent = formatDifference(Math.abs(difference)).replace('+', '')
  const price = `$${formatCoinPrice(reference, P2P_ASSET)}`
  return difference === 0 ? texts.same(price) : difference > 0 ? texts.above(percent, price) : texts.below(percent, price)
}

/** The customer's funds for trading, the market's prices, and the button to sell. */
export function MarketHead({ prices, rules, email, isClosed, ...first }: Props) {
  const balances = useBalances(first.balances)
  const { orders } = useStore(book, { ssr: 'initial' })
  const newer = useNewerMarket(first.shownMarket)
  const today = newer ? tradesToday(newer) : first.today
  const last = newer ? newer.last[0]?.price : first.last
  const [token, setToken] = useState<string>(P2P_ASSET)
  const [isSelling, setSelling] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const { funding, spot, frozen } = fundsOf(balances, token)
  const available = funding + spot
  const price = prices[token]
  const best = orders ? orders[0]?.price_per_coin : first.best
  const { reference } = rules

  return (
    <>
      <section className="hero market-head" aria-labelledby="available">
        <div>
          <h2 id="available" className="text-sm text-hero-muted">
            {texts.available}
          </h2>
          <p className="mt-1 flex flex-wrap items-center gap-x-3.5 gap-y-1">
            <span className="figure eye text-3xl font-semibold">{formatShortUnits(available, token)}</span>
            <select
              className="market-token"
              aria-label={texts.token}
              value={token}
              onChange={(event) => setToken(event.target.value)}
            >
              <option>{P2P_ASSET}</option>
              <option>{P2P_SETTLEMENT}</option>
            </select>
          </p>
          <p className="mt-1.5 text-sm text-hero-muted">
            {price !== undefined && (
              <span className="eye figure">
                {texts.availableAbout(formatCents(valueInCents(available, token, price), 'USD'))}
              </span>
            )}{' '}
            {frozen > 0n && (
              <span className="eye figure">{texts.frozenAbout(`${formatShortUnits(frozen, token)} ${token}`)}</span>
            )}
          </p>
        </div>
        <dl className="market-facts">
          <div>
            <dt>{texts.bestPrice}</dt>
            <dd className="figure">{best ? `${formatCoinPrice(best, P2P_ASSET)} ${P2P_SETTLEMENT}` : texts.noOrders}</dd>
            <dd className="figure">{reference ? best && besideReference(best, reference) : texts.noReference}</dd>
          </div>
          <div>
            <dt>{texts.soldToday}</dt>
            <dd className="figure">
              {today ? `${formatShortUnits(today.assetAmount, P2P_ASSET)} ${P2P_ASSET}` : texts.nothingYet}
            </dd>
            {last && <dd className="figure">{texts.tradesToday(today?.trades ?? 0, formatCoinPrice(last, P2P_ASSET))}</dd>}
          </div>
        </dl>
        <Button
          look="on-hero"
          disabled={isClosed}
          onClick={() => {
            setSelling(true)
            setOpened(true)
          }}
        >
          {texts.sell}
        </Button>
      </section>
      {wasOpened && (
        <Suspense>
          <Sell
            isOpen={isSelling}
            onClose={() => setSelling(false)}
            funds={fundsOf(balances, P2P_ASSET)}
            rules={rules}
            best={best}
            orders={orders ?? []}
            email={email}
          />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}
