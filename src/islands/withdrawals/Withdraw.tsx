import { useStore } from '@nanostores/react'
import { Suspense, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { figuresOf, type KnownAddress, type WithdrawalRules } from '#lib/client/withdrawals/figures.ts'
import { createWithdraw } from '#lib/client/withdrawals/withdraw.ts'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useEver } from '../platform/useEver.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { Form } from '../ui/Form.tsx'
import { Amount, type Holdings, PartyDetails, Receiver, TokenChoice } from './WithdrawFields.tsx'
import { WithdrawFigures } from './WithdrawFigures.tsx'

const WithdrawConfirmation = lazyPart(() => import('./WithdrawConfirmation.tsx'))
const Reauthenticate = lazyPart(() => import('../access/Reauthenticate.tsx'))

type Props = {
  currency: ChainToken
  email: string
  holdings: Holdings
  /** USD; undefined where there is none. */
  price: string | undefined
  eurPerUsd: string | undefined
  rules: WithdrawalRules
  addresses: KnownAddress[]
}

/** The withdrawal form on the left; on the right the amount that arrives, and the button. */
export function Withdraw({ currency, email, holdings, price, eurPerUsd, rules, addresses }: Props) {
  const { spot, funding } = { spot: BigInt(holdings[currency]?.spot ?? 0), funding: BigInt(holdings[currency]?.funding ?? 0) }
  const facts = { currency, spot, funding, price, eurPerUsd, rules, addresses }
  const [screen] = useState(() => createWithdraw(facts))
  const [proof] = useState(() => createReauthentication())
  const form = useForm(screen)
  const { fields, errors, error, isConfirming } = form
  const figures = figuresOf(facts, fields.amount)
  const wasConfirming = useEver(isConfirming)
  const wasProving = useEver(useStore(proof.state).isOpen)
  const parts = { screen, form, currency }

  return (
    <>
      <Form onSubmit={() => screen.submit()} className="card grid overflow-clip lg:grid-cols-[10fr_9fr]">
        <div className="grid content-start gap-5 p-5 sm:p-8">
          <TokenChoice currency={currency} holdings={holdings} />
          <Receiver {...parts} addresses={addresses} />
          <Amount {...parts} figures={figures} spot={spot} has={spot + funding} />
          {figures.needsDetails && <PartyDetails screen={screen} form={form} />}
        </div>
        <section className="hero grid content-between gap-6 rounded-none p-5 sm:p-8" aria-label={texts.result} aria-live="polite">
          <WithdrawFigures currency={currency} figures={figures} has={spot + funding} price={price} rules={rules} />
          <div>
            <div role="alert">{error && !isConfirming && <p className="mb-3 font-medium">{error}</p>}</div>
            <Button type="submit" look="on-hero" className="w-full">
              {texts.submit}
            </Button>
          </div>
        </section>
      </Form>
      {wasConfirming && (
        <Suspense>
          <WithdrawConfirmation
            screen={screen}
            currency={currency}
            received={`${formatExactUnits(figures.received, currency)} ${currency}`}
            guarded={proof.guarded}
            isSmall={errors.amount !== undefined}
          />
        </Suspense>
      )}
      {wasProving && (
        <Suspense>
          <Reauthenticate screen={proof} email={email} />
        </Suspense>
      )}
      <ToastRegion />
    </>
  )
}
