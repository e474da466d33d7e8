import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { createOrderDetails, type FirstOrder } from '#lib/client/orders/orderDetails.ts'
import type { Order } from '#lib/contract/types.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { groupReference } from '#lib/domain/orders/reference.ts'
import { formatEur, formatExact, formatExactUnits, formatRate, formatShortPrice, formatUsd } from '#lib/format/amount.ts'
import { formatDay, formatMoment } from '#lib/format/dates.ts'
import { orderLabel } from '#lib/format/orders/status.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { historyTexts } from '#messages/orders/history.ts'
import { unfitTexts } from '#messages/payments/unfit.ts'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useReturn } from '../platform/useReturn.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'
import { Moment } from '../ui/Moment.tsx'
import { Tag } from '../ui/Tag.tsx'
import { Timeline } from './Timeline.tsx'

/** Opens when an order in the list is pressed; without JavaScript the same link loads the page with the dialog open. */
export function OrderDetails({ first, timeZone }: { first: FirstOrder | undefined; timeZone: string }) {
  const [screen] = useState(() => createOrderDetails(first))
  const { id, order, error } = useStore(screen.state)
  useReturn(screen.follow)

  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-order]') : null
      if (!link?.dataset.order || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      // A second press while it is open would need a second Back to close it.
      if (link.dataset.order === screen.state.get().id) return
      // Keep the order in the URL, so that a reload shows it again and Back closes it.
      window.history.pushState({ order: link.dataset.order }, '', link.href)
      void screen.open(link.dataset.order)
    }
    const travel = () => {
      const named = new URL(window.location.href).searchParams.get('order')
      if (!named) screen.close()
      else if (named !== screen.state.get().id) void screen.open(named)
    }
    document.addEventListener('click', follow)
    window.addEventListener('popstate', travel)
    return () => {
      document.removeEventListener('click', follow)
      window.removeEventListener('popstate', travel)
    }
  }, [screen])

  function close() {
    screen.close()
    const url = new URL(window.location.href)
    if (!url.searchParams.has('order')) return
    if (window.history.state?.order) {
      window.history.back()
      return
    }
    url.searchParams.delete('order')
    window.history.replaceState(window.history.state, '', url)
  }

  return (
    <>
      <Dialog
        title={historyTexts.title}
        open={id !== undefined}
        onClose={close}
        footer={
          order &&
          (order.status === ORDER_STATUS.completed ? (
            <a className="button button-quiet" href={`/documents/receipt-${order.id}.pdf`} download>
              {historyTexts.receipt}
            </a>
          ) : isPayable(order) ? (
            <a
              className="button button-primary"
              href={`/package-detail/${order.comboConfigId}/preview?token=${order.type}&staking=${order.stakingMonth}&order=${order.id}`}
            >
              {historyTexts.transferDetails}
            </a>
          ) : null)
        }
      >
        {error && (
          <div role="alert">
            <p className="text-red">{error}</p>
            <Button look="quiet" className="mt-4" onClick={() => id && void screen.open(id)}>
              {historyTexts.tryAgain}
            </Button>
          </div>
        )}
        {order && <Details order={order} timeZone={timeZone} />}
        {!order && !error && <Waiting />}
      </Dialog>
      <ToastRegion />
    </>
  )
}

function Waiting() {
  return (
    <div aria-busy="true" className="grid gap-4 py-3">
      <span className="sr-only">{historyTexts.loading}</span>
      {['status', 'id', 'package', 'created', 'fiat', 'fee', 'total', 'tokens'].map((line) => (
        <span key={line} className="skeleton h-5 w-full" />
      ))}
    </div>
  )
}

/** True while the bank details are needed: no payment has arrived, and the order is not cancelled. */
function isPayable({ status, cancelledAt, unfitPayment }: Order): boolean {
  return status !== ORDER_STATUS.completed && !cancelledAt && !unfitPayment
}

function Details({ order, timeZone }: { order: Order; timeZone: string }) {
  const { label, tone } = orderLabel(order)
  const { unfitPayment: unfit } = order
  const moment = (at: string) => <Moment at={at} shown={formatMoment(at, timeZone)} utc={`${formatMoment(at)} UTC`} />
  const isCpc = order.type === 'CPC'
  const units = isCpc ? order.cpcAmount : order.ptcAmount
  const price = order.ptcPrice ?? order.cpcAverageWeightPrice
  const isCompleted = order.status === ORDER_STATUS.completed
  const facts: Fact[] = [
    { label: historyTexts.status, value: <Tag tone={tone}>{label}</Tag> },
    { label: historyTexts.orderId, value: <Amount value={groupReference(order.id)} /> },
    { label: historyTexts.package, value: order.name },
    { label: historyTexts.created, value: moment(order.createdAt) },
    ...(order.completedAt ? [{ label: historyTexts.paymentReceived, value: moment(order.completedAt) }] : []),
    { label: historyTexts.fiatAmount, value: <Amount value={formatUsd(order.fiatAmount)} /> },
    { label: historyTexts.fee, value: <Amount value={formatUsd(order.feeAmount)} /> },
    { label: historyTexts.total, value: <Amount value={formatUsd(order.totalAmount)} /> },
    {
      label: isCompleted ? historyTexts.paidInEuro : historyTexts.youPayEuro,
      value: <Amount value={formatEur(order.euroToPay)} />,
      hint: historyTexts.euroRate(formatExact(order.euroRate), order.euroRateSource)
    },
    {
      label: historyTexts.tokenPrice,
      value: <Amount value={formatShortPrice(price, order.type)} />,
      hint: order.priceFixedAt
        ? historyTexts.priceFixed(formatMoment(order.priceFixedAt, timeZone), order.priceSource)
        : historyTexts.priceAtOrder(order.priceSource)
    },
    {
      label: historyTexts.tokenAmount,
      value: <Amount value={formatExactUnits(units, order.type)} unit={order.type} />,
      hint: isCompleted
        ? order.stakingMonth > 0
          ? historyTexts.creditedAndStaked
          : historyTexts.credited
        : historyTexts.notYetComputed,
      strong: true
    },
    ...(order.stakingRateBonus > 0
      ? bonusFacts(order)
      : [
          {
            label: historyTexts.staking,
            value:
              order.stakingMonth > 0
                ? historyTexts.stakingTerm(order.stakingMonth, formatRate(order.stakingRateDefault))
                : historyTexts.noStaking
          }
        ]),
    ...(order.payoutsEndedAt
      ? [
          {
            label: historyTexts.payoutsEnded,
            value: formatDay(order.payoutsEndedAt, timeZone),
            hint: historyTexts.payoutsEndedAbout
          }
        ]
      : []),
    ...(order.stakingEndsAt ? [{ label: historyTexts.stakedUntil, value: formatDay(order.stakingEndsAt, timeZone) }] : []),
    ...termsFacts(order, timeZone),
    { label: historyTexts.paymentMethod, value: order.paymentMethod },
    { label: historyTexts.email, value: order.email }
  ]
  return (
    <>
      {unfit && (
        <div className="panel-gold mb-5">
          <p className="font-semibold">{unfitTexts.title(formatReceived(unfit), formatEur(order.euroToPay))}</p>
          <p className="mt-1 text-sm">
            {unfitTexts.reasons[unfit.reason]} {unfitTexts.kept}
          </p>
          <p className="mt-2 text-sm">
            {unfitTexts.next(formatMoment(unfit.decideBy, timeZone))} {unfitTexts.nothingToDo}
          </p>
        </div>
      )}
      <Timeline order={order} timeZone={timeZone} />
      <Facts facts={facts} />
    </>
  )
}

/** The accepted versions of the terms. */
function termsFacts({ acceptedTerms, termsAcceptedAt }: Order, timeZone: string): Fact[] {
  if (!termsAcceptedAt) return []
  return [
    {
      label: historyTexts.termsAccepted,
      value: formatMoment(termsAcceptedAt, timeZone),
      hint: Object.entries(acceptedTerms ?? {}).map(([name, version]) => (
        <a key={name} className="link mr-3 inline-block" href={`/legal/${name}?version=${version}`}>
          {historyTexts.termsVersion(name, version)}
        </a>
      ))
    }
  ]
}

/** The bonus of the promotion, and its release dates. */
function bonusFacts({ id, type, stakingRateBonus, ptcAmount, ptcBonusAmount, bonusReleases, payoutsEndedAt }: Order): Fact[] {
  const total = BigInt(ptcAmount) + BigInt(ptcBonusAmount)
  return [
    {
      label: historyTexts.bonus(formatRate(stakingRateBonus)),
      value: <Amount value={formatExactUnits(ptcBonusAmount, type)} unit={type} />,
      hint: bonusReleases ? (
        <a className="link" href={`/staking?order=${id}`}>
          {historyTexts.released(formatDay(bonusReleases.first), formatDay(bonusReleases.last))}
        </a>
      ) : (
        !payoutsEndedAt && historyTexts.releases
      )
    },
    { label: historyTexts.bonusTotal, value: <Amount value={formatExactUnits(total, type)} unit={type} /> }
  ]
}
