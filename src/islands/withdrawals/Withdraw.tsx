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
import { Thumb } from '../ui/Thumb.tsx'
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
  verifiedName: string | null
  amount: string
}

/** The withdrawal form on the left; on the right the amount that arrives, and the button. */
export function Withdraw({ currency, email, holdings, price, eurPerUsd, rules, addresses, verifiedName, amount }: Props) {
  const { spot, funding } = { spot: BigInt(holdings[currency]?.spot ?? 0), funding: BigInt(holdings[currency]?.funding ?? 0) }
  const facts = { currency, spot, funding, price, eurPerUsd, rules, addresses, verifiedName, amount }
  const [screen] = useState(() => createWithdraw(facts))
  const [proof] = useState(() => createReauthentication())
  const form = useForm(screen)
  const { fields, errors, error, isConfirming } = form
  const figures = figuresOf(facts, fields.amount)
  const wasConfirming = useEver(isConfirming)
  const wasProving = useEver(useStore(proof.state).isOpen)
  const parts = { screen, form, currency }
  const has = spot + funding
  const isPossible = figures.missing === 0n && !figures.isTooSmall
  const shown = (units: bigint) => `${formatExactUnits(units, currency)} ${currency}`

  return (
    <>
      <Form onSubmit={() => screen.submit()} className="card deal">
        <div className="deal-choices">
          <TokenChoice currency={currency} holdings={holdings} />
          <Receiver {...parts} addresses={addresses} />
          <Amount {...parts} figures={figures} spot={spot} has={has} />
          {isPossible && figures.needsDetails && <PartyDetails screen={screen} form={form} verifiedName={verifiedName} />}
        </div>
        <section className="deal-result" aria-label={texts.result} aria-live="polite">
          <WithdrawFigures currency={currency} figures={figures} has={has} price={price} rules={rules} />
          <div role="alert">{error && !isConfirming && <p className="mt-4 font-medium">{error}</p>}</div>
        </section>
        <Thumb
          label={isPossible || figures.isTooSmall ? texts.receivedAfterFee : texts.mostNow}
          figure={isPossible ? shown(figures.received) : figures.isTooSmall ? '–' : shown(has)}
        >
          <Button type="submit" look="on-hero" aria-disabled={!isPossible || undefined}>
            {texts.submit}
          </Button>
        </Thumb>
      </Form>
      {wasConfirming && (
        <Suspense>
          <WithdrawConfirmation
            screen={screen}
            currency={currency}
            received={shown(figures.received)}
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
