import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import type { BookOrder } from '#lib/client/p2p/book.ts'
import { type BuyFacts, createBuy, purchaseOf } from '#lib/client/p2p/buy.ts'
import { refreshQueries } from '#lib/client/platform/queries.ts'
import { notify } from '#lib/client/platform/toasts.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { checkPrice, differenceOf, netOf } from '#lib/domain/p2p/settle.ts'
import { formatExactMoneyUnits, formatExactUnits, formatRate } from '#lib/format/amount.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import Reauthenticate from '../access/Reauthenticate.tsx'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Facts } from '../ui/Facts.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { ThumbSay } from '../ui/Thumb.tsx'
import { Compared } from './Compared.tsx'

type Screen = ReturnType<typeof createBuy>
type Props = {
  /** The order to buy from; undefined while the dialog is closed. */
  chosen: BookOrder | undefined
  onClose: () => void
  /** The order was bought from, changed or closed: read the book again. */
  onChanged: () => void
  /** The current book. */
  orders: BookOrder[]
  /** The book is cut off, so the order may exist although it is not in `orders`. */
  isCut: boolean
  facts: BuyFacts
  reference: string | undefined
  email: string
}

/** The dialog to buy from an order: the amount, and its cost while typing. */
export default function Buy({ chosen, onClose, onChanged, orders, isCut, facts, reference, email }: Props) {
  const newest = useRef(facts)
  newest.current = facts
  const close = useRef(onClose)
  close.current = onClose
  const [screen] = useState(() => {
    const made = createBuy(() => newest.current, {
      onBought: (bought) => {
        notify('success', texts.bought(bought))
        close.current()
        refreshQueries('getBalance')
        onChanged()
      },
      onGone: onChanged
    })
    // Opened at once, so that the field exists when the dialog sets the focus.
    if (chosen) made.open(chosen)
    return made
  })
  const [proof] = useState(() => createReauthentication())
  const { isOpen: isProving } = useStore(proof.state)
  const { order, isBusy } = useForm(screen)
  useEffect(() => {
    if (chosen) screen.open(chosen)
  }, [chosen, screen])
  useEffect(() => screen.update(orders), [orders, screen])
  const isGone = !isCut && order !== undefined && !orders.some(({ id }) => id === order.id)
  return (
    <>
      <Dialog
        title={texts.buyTitle(order?.maker_nickname ?? '')}
        open={chosen !== undefined}
        onClose={() => !isBusy && onClose()}
      >
        {order && (
          <Purchase
            screen={screen}
            order={order}
            facts={facts}
            reference={reference}
            isGone={isGone}
            guarded={proof.guarded}
            onClose={onClose}
          />
        )}
      </Dialog>
      {isProving && <Reauthenticate screen={proof} email={email} />}
    </>
  )
}

type Purchasing = Pick<Props, 'facts' | 'reference' | 'onClose'> & {
  screen: Screen
  order: BookOrder
  isGone: boolean
  guarded: ReturnType<typeof createReauthentication>['guarded']
}

function Purchase({ screen, order, facts, reference, isGone, guarded, onClose }: Purchasing) {
  const { fields, error, isBusy, field } = useForm(screen)
  const { amount, gross, gap } = purchaseOf(facts, order, fields.amount)
  const { asset_currency: asset, settlement_currency: settlement } = order
  const inAsset = (units: string | bigint) => `${formatExactUnits(units, asset)} ${asset}`
  const paid = (units: bigint) => `${formatExactMoneyUnits(units, settlement)} ${settlement}`
  const price = decimal(order.price_per_coin)
  const far = reference !== undefined && checkPrice(price, decimal(reference)) !== 'near'
  const has = facts.funding + facts.spot
  const lines = [
    {
      label: texts.price,
      value: (
        <span className="figure">
          {formatCoinPrice(order.price_per_coin, asset)} {settlement}
        </span>
      ),
      hint: reference && <Compared difference={differenceOf(price, decimal(reference))} isFar={far} reference={reference} />
    },
    { label: texts.youPay, value: <span className="figure">{amount === undefined ? '–' : paid(gross)}</span>, strong: true },
    {
      label: texts.fee(formatRate(order.fee_basis_points)),
      value: texts.noneForYou,
      hint: (
        <span className="figure">
          {texts.paidBySeller}: {paid(gross - netOf(gross, order.fee_basis_points))}
        </span>
      )
    },
    {
      label: texts.youReceive,
      value: <span className="figure">{amount === undefined ? '–' : inAsset(amount)}</span>,
      hint: texts.inFunding,
      strong: true
    }
  ]
  return (
    <Form onSubmit={() => screen.submit(guarded)}>
      <Field
        {...field('amount')}
        label={`${texts.amount} (${asset})`}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        placeholder="0"
        className="figure text-xl"
        readOnly={isBusy}
        hint={texts.fillRange(inAsset(order.smallest_fill_amount), inAsset(order.remaining_asset_amount))}
        aside={
          <button
            type="button"
            className="link -my-2 min-h-11 text-sm"
            onClick={() => screen.type('amount', formatExactUnits(order.remaining_asset_amount, asset))}
          >
            {texts.all}
          </button>
        }
      />
      <div aria-live="polite">
        <Facts facts={lines} />
      </div>
      {gap > 0n && gross <= has && (
        <p className="note bg-blue-tint text-blue">
          <span className="eye">{texts.fromSpot(paid(facts.funding), paid(gap))}</span>
        </p>
      )}
      {isGone && !error && <p className="note bg-gold-tint text-gold">{texts.orderGone}</p>}
      <div role="alert">{error && <p className="text-red">{error}</p>}</div>
      <Actions
        busy={isBusy}
        busyLabel={texts.buying}
        label={amount === undefined ? texts.buy : texts.buyAmount(inAsset(amount))}
        onCancel={() => !isBusy && onClose()}
        say={<ThumbSay label={texts.youPay} figure={amount === undefined ? '–' : paid(gross)} />}
      />
    </Form>
  )
}
