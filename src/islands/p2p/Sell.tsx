import { useStore } from '@nanostores/react'
import { useRef, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import type { BookOrder } from '#lib/client/p2p/book.ts'
import { createSell, saleOf } from '#lib/client/p2p/sell.ts'
import { goTo } from '#lib/client/platform/navigation.ts'
import { notifyNextPage } from '#lib/client/platform/toasts.ts'
import { decimal } from '#lib/domain/money/decimal.ts'
import { P2P_ASSET, P2P_DAYS, P2P_SETTLEMENT } from '#lib/domain/p2p/order.ts'
import { differenceOf } from '#lib/domain/p2p/settle.ts'
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
import { type Rules, sellRules } from './market.ts'

type Props = {
  isOpen: boolean
  onClose: () => void
  /** Smallest units of CPC. */
  funds: { funding: bigint; spot: bigint }
  rules: Rules
  best: string | undefined
  /** The live book; empty until it arrives. */
  orders: BookOrder[]
  email: string
}

const asset = (units: bigint) => `${formatExactUnits(units, P2P_ASSET)} ${P2P_ASSET}`
const settlement = (units: bigint | undefined) =>
  units === undefined ? '–' : `${formatExactMoneyUnits(units, P2P_SETTLEMENT)} ${P2P_SETTLEMENT}`

/** The dialog to sell: the terms of the order, and its totals while typing. */
export default function Sell({ isOpen, onClose, funds, rules, best, orders, email }: Props) {
  const facts = { ...funds, ...sellRules(rules) }
  const newest = useRef(facts)
  newest.current = facts
  const [screen] = useState(() =>
    createSell(
      () => newest.current,
      () => {
        notifyNextPage('success', texts.listed)
        goTo('/p2p?tab=ongoing')
      }
    )
  )
  const [proof] = useState(() => createReauthentication())
  const { isOpen: isProving } = useStore(proof.state)
  const { days, fields, error, isBusy, field } = useForm(screen)
  const close = () => !isBusy && onClose()
  const { amount, price, difference, judged, gross, net, gap, isMissing } = saleOf(facts, fields)
  const cheaper = price ? orders.filter((order) => differenceOf(decimal(order.price_per_coin), price) < 0).length : 0
  const fee = gross !== undefined && net !== undefined ? gross - net : undefined
  const lines = [
    { label: texts.buyersPay, value: <span className="figure">{settlement(gross)}</span> },
    {
      label: texts.fee(formatRate(facts.feeBasisPoints)),
      value: <span className="figure">{fee === undefined ? '–' : `− ${settlement(fee)}`}</span>
    },
    { label: texts.youReceive, value: <span className="figure">{settlement(net)}</span>, hint: texts.inFunding, strong: true }
  ]
  return (
    <>
      <Dialog title={texts.sellTitle} open={isOpen} onClose={close}>
        <Form onSubmit={() => screen.submit(proof.guarded)}>
          <Field
            {...field('amount')}
            label={`${texts.amount} (${P2P_ASSET})`}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            className={`figure text-xl ${isMissing ? 'text-red' : ''}`}
            readOnly={isBusy}
            hint={gap > 0n && !isMissing && <span className="eye">{texts.fromSpot(asset(facts.funding), asset(gap))}</span>}
            aside={
              <span className="flex items-center gap-3 text-sm text-muted">
                <span>
                  {texts.has} <span className="figure eye">{asset(facts.funding + facts.spot)}</span>
                </span>
                <button type="button" className="link -my-2 min-h-11" onClick={screen.takeAll}>
                  {texts.all}
                </button>
              </span>
            }
          />
          <Field
            {...field('price')}
            label={`${texts.pricePerCoin} (${P2P_SETTLEMENT})`}
            name="price"
            inputMode="decimal"
            autoComplete="off"
            placeholder="0"
            className="figure text-xl"
            readOnly={isBusy}
            hint={
              difference !== undefined &&
              facts.reference && (
                <Compared difference={difference} isFar={judged !== 'near'} reference={facts.reference}>
                  {cheaper > 0 && texts.cheaper(cheaper)}
                </Compared>
              )
            }
            aside={
              best && (
                <span className="text-sm text-muted">
                  {texts.bestOrder} <span className="figure">{formatCoinPrice(best, P2P_ASSET)}</span>
                </span>
              )
            }
          />
          <div className="grid gap-3 sm:grid-cols-2">
            <Field
              {...field('smallest')}
              label={`${texts.smallest} (${P2P_ASSET})`}
              name="smallest"
              inputMode="decimal"
              autoComplete="off"
              placeholder={formatExactUnits(facts.smallestAmount, P2P_ASSET)}
              className="figure"
              readOnly={isBusy}
              hint={texts.smallestHint}
            />
            <label className="grid content-start gap-1.5 text-sm font-medium">
              {texts.ends}
              <select
                className="input font-normal"
                name="days"
                value={days}
                disabled={isBusy}
                onChange={(event) => screen.choose(P2P_DAYS.find((one) => String(one) === event.target.value) ?? days)}
              >
                {P2P_DAYS.map((one) => (
                  <option key={one} value={one}>
                    {texts.endsAfter(one)}
                  </option>
                ))}
              </select>
            </label>
          </div>
          <div aria-live="polite">
            <Facts facts={lines} />
          </div>
          <div role="alert">{error && <p className="text-red">{error}</p>}</div>
          <Actions
            busy={isBusy}
            busyLabel={texts.selling}
            label={amount === undefined ? texts.sell : texts.sellAmount(asset(amount))}
            onCancel={close}
            say={<ThumbSay label={texts.youReceive} figure={settlement(net)} />}
          />
        </Form>
      </Dialog>
      {isProving && <Reauthenticate screen={proof} email={email} />}
    </>
  )
}
