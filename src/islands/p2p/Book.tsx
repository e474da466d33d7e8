import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type BookOrder, book, followBook, refreshBook } from '#lib/client/p2p/book.ts'
import { type Plan, planFor } from '#lib/client/p2p/sweep.ts'
import type { Balances } from '#lib/contract/types.ts'
import { BOOK_SIZE, P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { useEver } from '../platform/useEver.ts'
import { Tag } from '../ui/Tag.tsx'
import { BookTable } from './BookTable.tsx'
import { Market } from './Market.tsx'
import { fundsOf, type Rules } from './market.ts'
import { OwnOrders } from './OwnOrders.tsx'
import { useBalances } from './useBalances.ts'
import { useNewerMarket } from './useNewerMarket.ts'
import { unitsOf, Want } from './Want.tsx'

const Buy = lazyPart(() => import('./Buy.tsx'))
const Sweep = lazyPart(() => import('./Sweep.tsx'))
const ASK_AFTER_MS = 400

type Props = {
  orders: BookOrder[]
  /** The number of all orders in the book; the page contains only the first of them. */
  total: number
  balances: Balances
  rules: Rules
  /** The amount to buy, from the URL, and what it would take. */
  wanted: string
  plan: Plan | undefined
  /** The path of the live book, below `/v1`. */
  stream: string
  email: string
  isClosed: boolean
  timeZone: string
  /** The version of the market that the page shows, as `children`. */
  shownMarket: string
  children?: ReactNode
}

/** What the wanted amount would take and cost: asked for while it is typed, and again when the book changes. An answer that a newer one overtook is dropped. */
function usePlan(first: Plan | undefined, amount: bigint | undefined, version: unknown) {
  const [found, setFound] = useState({ amount: amount?.toString(), plan: first })
  const [turn, setTurn] = useState(0)
  const numbers = useRef({ asked: 0, shown: 0 })
  const wanted = amount?.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed book is asked again
  useEffect(() => {
    if (wanted === undefined) return
    const timer = setTimeout(async () => {
      numbers.current.asked += 1
      const number = numbers.current.asked
      const plan = await planFor(wanted)
      if (number < numbers.current.shown) return
      numbers.current.shown = number
      setFound({ amount: wanted, plan })
    }, ASK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [wanted, version, turn])
  return { plan: found.amount === wanted && wanted !== undefined ? found.plan : undefined, askAgain: () => setTurn(turn + 1) }
}

/** The book: as the page found it, then as it changes. */
export function Book({ children, ...first }: Props) {
  const { rules, email, isClosed } = first
  const { orders: newest, isLive } = useStore(book, { ssr: 'initial' })
  const balances = useBalances(first.balances)
  const [wanted, setWanted] = useState(first.wanted)
  const all = (newest ?? first.orders).map((order) => ({
    ...order,
    is_own: order.is_own || order.maker_nickname === rules.nickname
  }))
  const { plan, askAgain } = usePlan(first.plan, unitsOf(wanted), newest)
  const [chosen, setChosen] = useState<BookOrder | undefined>()
  const [isSweeping, setSweeping] = useState(false)
  const wasSweeping = useEver(isSweeping)
  const wasChosen = useEver(chosen !== undefined)
  const funds = fundsOf(balances, P2P_SETTLEMENT)
  const taken = new Map(plan?.orders.map(({ orderId, assetAmount }) => [orderId, assetAmount]))
  useEffect(() => followBook(first.stream), [first.stream])
  const reference = rules.reference ?? undefined
  const isFirst = newest === undefined && first.total > first.orders.length

  return (
    <>
      <Want
        wanted={wanted}
        onWanted={setWanted}
        plan={plan}
        has={funds.funding + funds.spot}
        isClosed={isClosed}
        onBuy={() => setSweeping(true)}
      />
      <section className="card" aria-labelledby="book">
        <div className="flex min-h-11 items-center justify-between gap-4 px-5 py-4 lg:px-6">
          <h2 id="book" className="section-title">
            {texts.book}
          </h2>
          {isLive && <Tag tone="green">{texts.live}</Tag>}
        </div>
        {all.length > 0 ? (
          <BookTable orders={all} taken={taken} reference={reference} isClosed={isClosed} onBuy={setChosen} />
        ) : (
          <Empty />
        )}
        {isFirst && (
          <noscript>
            <a className="link inline-flex min-h-11 items-center px-5 lg:px-6" href="/p2p?all">
              {texts.showAll(first.total)}
            </a>
          </noscript>
        )}
        {all.length > 0 && (
          <p className="border-t border-line px-5 py-4 text-sm text-muted lg:px-6">
            {isFirst && all.length < BOOK_SIZE ? texts.bookFirst(first.orders.length, first.total) : noteOf(all)}{' '}
            {reference && texts.compared(`$${formatCoinPrice(reference, P2P_ASSET)}`)}
          </p>
        )}
      </section>
      <div className="market-side">
        <OwnOrders orders={all} />
        <LiveMarket shownMarket={first.shownMarket} timeZone={first.timeZone}>
          {children}
        </LiveMarket>
      </div>
      {wasChosen && (
        <Suspense>
          <Buy
            chosen={chosen}
            onClose={() => setChosen(undefined)}
            onChanged={refreshBook}
            orders={all}
            isCut={all.length >= BOOK_SIZE}
            facts={funds}
            reference={reference}
            email={email}
          />
        </Suspense>
      )}
      {wasSweeping && (
        <Suspense>
          <Sweep
            isOpen={isSweeping && plan !== undefined}
            plan={plan}
            orders={all}
            onClose={() => setSweeping(false)}
            onBought={() => {
              setSweeping(false)
              setWanted('')
              refreshBook()
            }}
            onChanged={() => {
              askAgain()
              refreshBook()
            }}
            email={email}
          />
        </Suspense>
      )}
    </>
  )
}

type MarketProps = Pick<Props, 'shownMarket' | 'timeZone' | 'children'>

/** The trades as the page shows them, and newer ones when they come. */
function LiveMarket({ shownMarket, timeZone, children }: MarketProps) {
  const newer = useNewerMarket(shownMarket)
  return newer ? <Market market={newer} timeZone={timeZone} /> : children
}

/** How many orders the table shows, and how much they sell. */
function noteOf(all: BookOrder[]): string {
  if (all.length >= BOOK_SIZE) return texts.bookCut(BOOK_SIZE)
  const total = all.reduce((sum, { remaining_asset_amount: rest }) => sum + BigInt(rest), 0n)
  return texts.bookNote(texts.orderCount(all.length), `${formatShortUnits(total, P2P_ASSET)} ${P2P_ASSET}`)
}

function Empty() {
  return (
    <div className="px-5 pt-4 pb-10 text-center">
      <p className="font-semibold">{texts.empty}</p>
      <p className="mt-1 text-muted">{texts.emptyAbout}</p>
    </div>
  )
}
