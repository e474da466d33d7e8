import type { RefObject } from 'react'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur, formatExactUnits, formatShortPrice } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import { orderLabel } from '#lib/format/orders/status.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import type { View } from '#lib/format/view.ts'
import { previewTexts } from '#messages/orders/preview.ts'
import { timelineTexts } from '#messages/orders/timeline.ts'
import { unfitTexts } from '#messages/payments/unfit.ts'
import { Card } from '../ui/Card.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Timeline } from './Timeline.tsx'

type Props = { order: Order; heading: RefObject<HTMLHeadingElement | null>; view: View }

/** Shown after the customer declared the order paid: who acts next, and by when. */
export function Waiting({ order, heading, view: { timeZone } }: Props) {
  const { unfitPayment: unfit, arrivesBy } = order
  const euro = formatEur(order.euroToPay)
  const isCompleted = order.status === ORDER_STATUS.completed
  const isCancelled = order.cancelledAt !== null && order.status === ORDER_STATUS.pending
  const { label, tone } = orderLabel(order)
  const title = unfit
    ? unfitTexts.title(formatReceived(unfit), euro)
    : isCompleted
      ? previewTexts.completedTitle
      : isCancelled
        ? previewTexts.cancelledTitle
        : previewTexts.watching(euro)
  return (
    <>
      <section className={unfit ? 'panel-gold' : 'hero p-6 sm:p-8'} aria-labelledby="waiting">
        <p className={unfit ? 'text-sm' : 'text-sm text-hero-muted'}>
          {order.name} · <span className="figure">{groupReference(order.id)}</span>
        </p>
        <h2 id="waiting" ref={heading} tabIndex={-1} className="mt-1 text-2xl font-semibold">
          {title}
        </h2>
        {unfit ? (
          <>
            <p className="mt-2">
              {unfitTexts.reasons[unfit.reason]} {unfitTexts.kept}
            </p>
            <p className="mt-4 font-semibold">{unfitTexts.next(formatMoment(unfit.decideBy, timeZone))}</p>
            <p>{unfitTexts.nothingToDo}</p>
          </>
        ) : (
          <p className="mt-3 text-hero-muted">
            {isCompleted
              ? completedAbout(order)
              : isCancelled
                ? previewTexts.cancelledAbout(formatDay(order.payableUntil, timeZone))
                : previewTexts.bankNext(arrivesBy ? formatDay(arrivesBy, timeZone) : '', order.email)}
          </p>
        )}
        {isCompleted && <Arrived order={order} timeZone={timeZone} />}
      </section>
      <Card title={timelineTexts.title}>
        <p className="mb-4">
          <Tag tone={tone}>{label}</Tag>
        </p>
        <Timeline order={order} timeZone={timeZone} />
      </Card>
      <p className="flex flex-wrap gap-3">
        <a className="button button-quiet" href="/dashboard">
          {previewTexts.toDashboard}
        </a>
        {isCompleted && (
          <a className="button button-quiet" href={`/token/${order.type}`}>
            {previewTexts.seeTokens(order.type)}
          </a>
        )}
        <a className="button button-primary" href={`/package-history?tab=order&order=${order.id}`}>
          {previewTexts.viewOrder}
        </a>
      </p>
    </>
  )
}

const completedAbout = ({ stakingMonth }: Order) =>
  stakingMonth > 0 ? previewTexts.completedStaked : previewTexts.completedAbout

/** What the payment brought, in full, and its receipt. */
function Arrived({ order, timeZone }: { order: Order; timeZone: string }) {
  const { type, completedAt } = order
  const units = type === 'CPC' ? order.cpcAmount : order.ptcAmount
  const facts = [
    [previewTexts.paid, formatEur(order.euroToPay)],
    [previewTexts.atPrice, formatShortPrice(order.ptcPrice ?? order.cpcAverageWeightPrice, type)],
    ...(completedAt ? [[previewTexts.arrivedAt, formatMoment(completedAt, timeZone)]] : [])
  ]
  return (
    <>
      <p className="figure eye mt-4 text-amount font-semibold">
        +{formatExactUnits(units, type)} <span className="font-normal text-hero-muted">{type}</span>
      </p>
      <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-hero-muted">{name}</dt>
            <dd className="figure eye font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4">
        <a className="button button-on-hero" href={`/documents/receipt-${order.id}.pdf`} download>
          {previewTexts.receipt}
        </a>
      </p>
    </>
  )
}
