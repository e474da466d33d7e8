import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { type BookOrder, book, followBook, refreshBook, searchBook } from '#lib/client/p2p/book.ts'
import type { Balances } from '#lib/contract/types.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { BOOK_SIZE, fillFault, P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { useEver } from '../platform/useEver.ts'
import { Tag } from '../ui/Tag.tsx'
import { BookTable } from './BookTable.tsx'
import { Depth } from './Depth.tsx'
import { type Drawn, drawDepth } from './depth.ts'
import { fundsOf, type Rules } from './market.ts'
import { useBalances } from './useBalances.ts'

const Buy = lazyPart(() => import('./Buy.tsx'))
const SEARCH_AFTER_MS = 400

type Props = {
  orders: BookOrder[]
  depth: Drawn
  /** The number of all orders in the book; the page contains only the first of them. */
  total: number
  balances: Balances
  rules: Rules
  /** The amount to buy, from the filter in the URL. */
  wanted: string
  /** The path of the live book, below `/v1`. */
  stream: string
  email: string
  isClosed: boolean
  children?: ReactNode
}

function unitsOf(wanted: string): bigint | undefined {
  const read = readAmount(wanted, decimalsOf(P2P_ASSET))
  return 'units' in read ? read.units : undefined
}

function canFill({ remaining_asset_amount, smallest_fill_amount }: BookOrder, amount: bigint): boolean {
  return !fillFault({ rest: BigInt(remaining_asset_amount), smallestFill: BigInt(smallest_fill_amount) }, amount)
}

/** Orders that sell this amount in one purchase. The book has a few orders of each seller, so the server is asked for others. */
function useSearch(all: BookOrder[], amount: bigint | undefined, version: unknown) {
  const [found, setFound] = useState<{ amount: string; orders: BookOrder[] | undefined } | undefined>()
  const search = amount?.toString()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed book is searched again
  useEffect(() => {
    if (search === undefined) return
    const timer = setTimeout(async () => setFound({ amount: search, orders: await searchBook(search) }), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [search, version])
  const searched = found?.amount === search ? (found?.orders ?? all) : all
  return {
    orders: amount === undefined ? all : searched.filter((order) => canFill(order, amount)),
    known: searched === all ? all : [...all, ...searched]
  }
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
  const amount = unitsOf(wanted)
  const { orders, known } = useSearch(all, amount, newest)
  const [chosen, setChosen] = useState<{ order: BookOrder; amount: bigint | undefined } | undefined>()
  const wasChosen = useEver(chosen !== undefined)
  useEffect(() => followBook(first.stream), [first.stream])
  const reference = rules.reference ?? undefined
  const isFirst = newest === undefined && first.total > first.orders.length

  return (
    <>
      <section className="card" aria-labelledby="book">
        <div className="flex min-h-11 items-center justify-between gap-4 px-5 pt-5 lg:px-6">
          <h2 id="book" className="section-title">
            {texts.book}
          </h2>
          {isLive && <Tag tone="green">{texts.live}</Tag>}
        </div>
        <Filter wanted={wanted} onWanted={setWanted} />
        {orders.length > 0 ? (
          <BookTable orders={orders} reference={reference} isClosed={isClosed} onBuy={(order) => setChosen({ order, amount })} />
        ) : (
          <Empty isFiltered={all.length > 0} />
        )}
        {isFirst && (
          <noscript>
            <a className="link inline-flex min-h-11 items-center px-5 lg:px-6" href="/p2p?all">
              {texts.showAll(first.total)}
            </a>
          </noscript>
        )}
        {orders.length > 0 && (
          <p className="border-t border-line px-5 py-4 text-sm text-muted lg:px-6">
            {isFirst && all.length < BOOK_SIZE ? texts.bookFirst(first.orders.length, first.total) : noteOf(orders, all)}{' '}
            {reference && texts.compared(`$${formatCoinPrice(reference, P2P_ASSET)}`)}
          </p>
        )}
      </section>
      <div className="grid content-start gap-5">
        <Depth drawn={newest ? drawDepth(all, reference) : first.depth} reference={reference} />
        {children}
      </div>
      {wasChosen && (
        <Suspense>
          <Buy
            chosen={chosen}
            onClose={() => setChosen(undefined)}
            onChanged={refreshBook}
            orders={known}
            isCut={all.length >= BOOK_SIZE}
            facts={fundsOf(balances, P2P_SETTLEMENT)}
            reference={reference}
            email={email}
          />
        </Suspense>
      )}
    </>
  )
}

/** How many orders the table shows, and how much they sell. */
function noteOf(orders: BookOrder[], all: BookOrder[]): string {
  if (all.length >= BOOK_SIZE) return texts.bookCut(BOOK_SIZE)
  const total = orders.reduce((sum, { remaining_asset_amount: rest }) => sum + BigInt(rest), 0n)
  return texts.bookNote(texts.orderCount(orders.length), `${formatShortUnits(total, P2P_ASSET)} ${P2P_ASSET}`)
}

/** Without script it is a form that opens the page anew. */
function Filter({ wanted, onWanted }: { wanted: string; onWanted: (text: string) => void }) {
  return (
    <form action="/p2p" className="px-5 py-4 lg:px-6">
      <input
        className="input figure"
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        aria-label={texts.wanted}
        placeholder={texts.wantedHint}
        value={wanted}
        onChange={(event) => onWanted(event.target.value)}
      />
    </form>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return (
    <div className="px-5 pt-4 pb-10 text-center">
      <p className="font-semibold">{isFiltered ? texts.noMatch : texts.empty}</p>
      {!isFiltered && <p className="mt-1 text-muted">{texts.emptyAbout}</p>}
    </div>
  )
}
