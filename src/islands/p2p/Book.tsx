import { useStore } from '@nanostores/react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { type BookOrder, book, followBook, refreshBook, searchBook } from '#lib/client/p2p/book.ts'
import type { Balances } from '#lib/contract/types.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { BOOK_SIZE, fillFault, P2P_ASSET, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { formatShortUnits } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { Tag } from '../ui/Tag.tsx'
import { BookRow } from './BookRow.tsx'
import { Depth } from './Depth.tsx'
import { type Drawn, drawDepth } from './depth.ts'
import { fundsOf, type Rules } from './market.ts'
import { useHeld } from './useHeld.ts'

const Buy = lazyPart(() => import('./Buy.tsx'))
const SEARCH_AFTER_MS = 400

type Props = {
  orders: BookOrder[]
  depth: Drawn
  /** How many there are: the page brings the first of them. */
  total: number
  balances: Balances
  rules: Rules
  /** The amount to buy, as typed into the filter before. */
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

/** The book: as the page found it, then as it changes. */
export function Book({ children, ...first }: Props) {
  const { rules, email, isClosed } = first
  const { orders: newest, isLive } = useStore(book, { ssr: 'initial' })
  const balances = useHeld(first.balances)
  const [wanted, setWanted] = useState(first.wanted)
  const [found, setFound] = useState<{ amount: string; orders: BookOrder[] | undefined } | undefined>()
  const { nickname } = rules
  const all = (newest ?? first.orders).map((order) => ({ ...order, is_own: order.is_own || order.maker_nickname === nickname }))
  const amount = unitsOf(wanted)
  const isCut = all.length >= BOOK_SIZE
  // The book has a few orders of each seller: there may be others that sell this amount.
  const search = amount?.toString()
  const searched = found?.amount === search ? (found?.orders ?? all) : all
  const orders = amount === undefined ? all : searched.filter((order) => canFill(order, amount))
  const [chosen, setChosen] = useState<{ order: BookOrder; amount: bigint | undefined } | undefined>()
  const [wasChosen, setWasChosen] = useState(false)
  if (chosen && !wasChosen) setWasChosen(true)
  useEffect(() => followBook(first.stream), [first.stream])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed book is searched anew
  useEffect(() => {
    if (search === undefined) return
    const timer = setTimeout(async () => setFound({ amount: search, orders: await searchBook(search) }), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [search, newest])
  const reference = rules.reference ?? undefined
  const total = orders.reduce((sum, { remaining_asset_amount: rest }) => sum + BigInt(rest), 0n)
  const isFirst = newest === undefined && first.total > first.orders.length
  const note = isCut
    ? texts.bookCut(BOOK_SIZE)
    : isFirst
      ? texts.bookFirst(first.orders.length, first.total)
      : texts.bookNote(texts.orderCount(orders.length), `${formatShortUnits(total, P2P_ASSET)} ${P2P_ASSET}`)
  const firstOther = orders.find(({ is_own }) => !is_own)

  return (
    <>
      <section className="card" aria-labelledby="book">
        <div className="flex min-h-11 items-center justify-between gap-4 px-5 pt-5 lg:px-6">
          <h2 id="book" className="section-title">
            {texts.book}
          </h2>
          {isLive && <Tag tone="green">{texts.live}</Tag>}
        </div>
        <form action="/p2p" className="px-5 py-4 lg:px-6">
          <input
            className="input figure"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            aria-label={texts.wanted}
            placeholder={texts.wantedHint}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </form>
        {orders.length > 0 ? (
          <table className="list book">
            <caption className="sr-only">{texts.bookCaption}</caption>
            <thead>
              <tr>
                <th scope="col">{texts.columns.price}</th>
                <th scope="col">{texts.columns.seller}</th>
                <th scope="col" className="num">
                  {texts.columns.amount}
                </th>
                <th scope="col" className="num">
                  {texts.columns.total}
                </th>
                <th scope="col">
                  <span className="sr-only">{texts.columns.action}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => (
                <BookRow
                  key={order.id}
                  order={order}
                  reference={reference}
                  isBest={order === firstOther}
                  isClosed={isClosed}
                  onBuy={() => setChosen({ order, amount })}
                />
              ))}
            </tbody>
          </table>
        ) : (
          <div className="px-5 pt-4 pb-10 text-center">
            <p className="font-semibold">{all.length > 0 ? texts.noMatch : texts.empty}</p>
            {all.length === 0 && <p className="mt-1 text-muted">{texts.emptyAbout}</p>}
          </div>
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
            {note} {reference && texts.compared(`$${formatCoinPrice(reference, P2P_ASSET)}`)}
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
            orders={searched === all ? all : [...all, ...searched]}
            isCut={isCut}
            facts={fundsOf(balances, P2P_SETTLEMENT)}
            reference={reference}
            email={email}
          />
        </Suspense>
      )}
    </>
  )
}
