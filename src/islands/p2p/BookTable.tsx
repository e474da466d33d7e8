import type { BookOrder } from '#lib/client/p2p/book.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import { BookRow } from './BookRow.tsx'

type Props = {
  orders: BookOrder[]
  /** What a purchase across the book would take of each order, by its id. */
  taken: Map<string, string>
  /** USD; undefined where there is no price to compare with. */
  reference: string | undefined
  isClosed: boolean
  onBuy: (order: BookOrder) => void
}

/** The orders, the best price first; the best one of somebody else is marked. */
export function BookTable({ orders, taken, reference, isClosed, onBuy }: Props) {
  const firstOther = orders.find(({ is_own }) => !is_own)
  return (
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
            taken={taken.get(order.id)}
            isBest={order === firstOther}
            isClosed={isClosed}
            onBuy={() => onBuy(order)}
          />
        ))}
      </tbody>
    </table>
  )
}
