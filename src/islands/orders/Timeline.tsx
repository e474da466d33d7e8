import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { formatEur, formatShortUnits } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { timelineTexts as texts } from '#messages/orders/timeline.ts'

type Props = { order: Order; timeZone: string }
type Mark = 'done' | 'now' | 'later' | 'warn'

/** Ordered, announced, arrived, credited: what happened, who acts next, and by when. */
export function Timeline({ order, timeZone }: Props) {
  const { unfitPayment: unfit, announcedAt, arrivesBy, completedAt, cancelledAt } = order
  const isCompleted = order.status === ORDER_STATUS.completed
  const isAnnounced = order.status !== ORDER_STATUS.pending
  const euro = formatEur(order.euroToPay)
  const isCpc = order.type === 'CPC'
  const tokens = `${formatShortUnits(isCpc ? order.cpcAmount : order.ptcAmount, order.type)} ${order.type}`
  const steps: { title: string; when: string; about: string; mark: Mark }[] = [
    {
      title: texts.ordered,
      when: formatMoment(order.createdAt, timeZone),
      about: texts.orderedAbout(order.name, euro),
      mark: 'done'
    },
    {
      title: texts.announced,
      when: announcedAt ? formatMoment(announcedAt, timeZone) : '',
      about: isAnnounced ? texts.announcedAbout : cancelledAt ? texts.cancelledAbout : texts.announceNext,
      mark: isAnnounced ? 'done' : cancelledAt ? 'later' : 'now'
    },
    {
      title: texts.arrived,
      when: completedAt
        ? formatMoment(completedAt, timeZone)
        : unfit
          ? formatMoment(unfit.receivedAt, timeZone)
          : arrivesBy
            ? texts.by(formatDay(arrivesBy, timeZone))
            : '',
      about: isCompleted
        ? texts.arrivedAbout
        : unfit
          ? texts.unfitAbout(formatReceived(unfit), euro, formatMoment(unfit.decideBy, timeZone))
          : texts.arriveNext(formatDay(order.payableUntil, timeZone)),
      mark: isCompleted ? 'done' : unfit ? 'warn' : isAnnounced ? 'now' : 'later'
    },
    {
      title: texts.credited,
      when: completedAt ? formatMoment(completedAt, timeZone) : isAnnounced && !unfit ? texts.within : '',
      about: texts.creditedAbout(tokens, order.stakingMonth > 0),
      mark: isCompleted ? 'done' : 'later'
    }
  ]
  return (
    <ol className="timeline">
      {steps.map(({ title, when, about, mark }) => (
        <li key={title} data-mark={mark} aria-current={mark === 'now' || mark === 'warn' ? 'step' : undefined}>
          <b>
            {title}
            {mark === 'done' && <span className="sr-only">: {texts.done}</span>}
          </b>
          <span className="figure">{when}</span>
          <small>{about}</small>
        </li>
      ))}
    </ol>
  )
}
