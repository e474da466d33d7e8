import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import type { BookOrder } from '#lib/client/p2p/book.ts'
import { createSweep, type Plan } from '#lib/client/p2p/sweep.ts'
import { refreshQueries } from '#lib/client/platform/queries.ts'
import { notify } from '#lib/client/platform/toasts.ts'
import { P2P_ASSET } from '#lib/domain/p2p/order.ts'
import { formatCoinPrice } from '#lib/format/p2p/prices.ts'
import { p2pTexts as texts } from '#messages/p2p/p2p.ts'
import Reauthenticate from '../access/Reauthenticate.tsx'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Facts } from '../ui/Facts.tsx'
import { Form } from '../ui/Form.tsx'
import { ThumbSay } from '../ui/Thumb.tsx'
import { inCoins, inMoney } from './Want.tsx'

type Props = {
  isOpen: boolean
  /** What is bought; newer while the book changes. */
  plan: Plan | undefined
  orders: BookOrder[]
  onClose: () => void
  onBought: () => void
  /** The purchase failed: the book may have changed. */
  onChanged: () => void
  email: string
}

/** Confirms a purchase across the book: each order that it takes, the average price, the sum. */
export default function Sweep({ isOpen, plan, orders, onClose, onBought, onChanged, email }: Props) {
  const does = useRef({ onBought, onChanged })
  does.current = { onBought, onChanged }
  const [screen] = useState(() =>
    createSweep({
      onBought: (amount) => {
        notify('success', texts.bought(amount))
        refreshQueries('getBalance')
        does.current.onBought()
      },
      onChanged: () => does.current.onChanged()
    })
  )
  const [proof] = useState(() => createReauthentication())
  const { isOpen: isProving } = useStore(proof.state)
  const { error, isBusy } = useForm(screen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: an error belongs to the purchase that was confirmed
  useEffect(() => screen.reset(), [isOpen, screen])
  const known = new Map(orders.map((order) => [order.id, order]))
  const lines = plan?.orders.map(({ orderId, assetAmount, grossSettlementAmount }) => {
    const order = known.get(orderId)
    return {
      label: order ? `${formatCoinPrice(order.price_per_coin, P2P_ASSET)} · ${order.maker_nickname}` : texts.price,
      value: <span className="figure">{inCoins(assetAmount)}</span>,
      hint: <span className="figure">{inMoney(grossSettlementAmount)}</span>
    }
  })
  return (
    <>
      <Dialog
        title={texts.sweepTitle(plan ? inCoins(plan.assetAmount) : P2P_ASSET)}
        open={isOpen}
        onClose={() => !isBusy && onClose()}
      >
        {plan && (
          <Form onSubmit={() => screen.submit(plan, proof.guarded)}>
            <p className="text-muted">{texts.sweepAbout(texts.orderCount(plan.orders.length))}</p>
            <div aria-live="polite">
              <Facts
                facts={[
                  ...(lines ?? []),
                  { label: texts.average, value: <span className="figure">{plan.averagePrice}</span> },
                  {
                    label: texts.youPay,
                    value: <span className="figure">{inMoney(plan.grossSettlementAmount)}</span>,
                    strong: true
                  },
                  {
                    label: texts.youReceive,
                    value: <span className="figure">{inCoins(plan.assetAmount)}</span>,
                    hint: texts.inFunding,
                    strong: true
                  }
                ]}
              />
            </div>
            <div role="alert">{error && <p className="text-red">{error}</p>}</div>
            <Actions
              busy={isBusy}
              busyLabel={texts.buying}
              label={texts.buyAmount(inCoins(plan.assetAmount))}
              onCancel={() => !isBusy && onClose()}
              say={<ThumbSay label={texts.youPay} figure={inMoney(plan.grossSettlementAmount)} />}
            />
          </Form>
        )}
      </Dialog>
      {isProving && <Reauthenticate screen={proof} email={email} />}
    </>
  )
}
