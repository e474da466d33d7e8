import { useStore } from '@nanostores/react'
import { Suspense, useState } from 'react'
import { createReauthentication } from '#lib/client/access/reauthentication.ts'
import { createWithdraw, figuresOf, type KnownAddress, type WithdrawalRules } from '#lib/client/withdrawals/withdraw.ts'
import { type ChainToken, chainOf, WITHDRAWABLE } from '#lib/domain/chains/chains.ts'
import { valueInCents } from '#lib/domain/rates/prices.ts'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatCents, formatExactUnits, formatShortUnits } from '#lib/format/amount.ts'
import { depositTexts } from '#messages/deposits/deposit.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { lazyPart } from '../platform/lazyPart.tsx'
import { ToastRegion } from '../platform/ToastRegion.tsx'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

const WithdrawConfirmation = lazyPart(() => import('./WithdrawConfirmation.tsx'))
const Reauthenticate = lazyPart(() => import('../access/Reauthenticate.tsx'))

type Props = {
  currency: ChainToken
  email: string
  /** Smallest units of each token that can be withdrawn: spot, and funding that is not frozen. */
  holdings: Record<string, { spot: string; funding: string }>
  /** USD; undefined where there is none. */
  price: string | undefined
  eurPerUsd: string | undefined
  rules: WithdrawalRules
  addresses: KnownAddress[]
}

/** What leaves on the left, what arrives of it on the right, one button at its end. */
export function Withdraw({ currency, email, holdings, price, eurPerUsd, rules, addresses }: Props) {
  const { spot, funding } = { spot: BigInt(holdings[currency]?.spot ?? 0), funding: BigInt(holdings[currency]?.funding ?? 0) }
  const [screen] = useState(() => createWithdraw({ currency, spot, funding, price, eurPerUsd, rules, addresses }))
  const [proof] = useState(() => createReauthentication())
  const { isOpen: isProving } = useStore(proof.state)
  const { fields, errors, error, isBusy, field, said, isConfirming, party } = useForm(screen)
  const facts = { currency, spot, funding, price, eurPerUsd, rules, addresses }
  const { amount, received, from, cents, needsDetails, units } = figuresOf(facts, fields.amount)
  const chain = chainOf(currency)
  const shown = (value: bigint) => `${formatExactUnits(value, currency)} ${currency}`
  const own = (value: bigint) => <span className="figure own">{shown(value)}</span>
  const has = spot + funding
  const book = addresses.filter((one) => one.chain === chain)
  const isTooMuch = units !== undefined && amount > spot
  const [wasConfirming, setWasConfirming] = useState(false)
  if (isConfirming && !wasConfirming) setWasConfirming(true)
  const [wasProving, setWasProving] = useState(false)
  if (isProving && !wasProving) setWasProving(true)

  return (
    <>
      <Form onSubmit={() => screen.submit()} className="card grid overflow-clip lg:grid-cols-[10fr_9fr]">
        <div className="grid content-start gap-5 p-5 sm:p-8">
          <fieldset>
            <legend className="mb-2 text-sm font-medium">{texts.crypto}</legend>
            <ul className="grid grid-cols-2 gap-2 sm:grid-cols-4 lg:grid-cols-2">
              {WITHDRAWABLE.map((code) => (
                <li key={code}>
                  <a
                    href={`/withdraw/${code}`}
                    aria-current={code === currency ? 'page' : undefined}
                    className="flex min-h-14 items-center gap-2.5 rounded-control border border-strong-line px-3 no-underline aria-[current]:border-accent aria-[current]:bg-accent-tint"
                  >
                    <TokenMark code={code} />
                    <span className="min-w-0">
                      <b className="block font-semibold">{code}</b>
                      <small className="figure own block truncate text-muted">
                        {formatShortUnits(BigInt(holdings[code]?.spot ?? 0) + BigInt(holdings[code]?.funding ?? 0), code)}
                      </small>
                    </span>
                  </a>
                </li>
              ))}
            </ul>
          </fieldset>
          <div>
            <Field
              {...field('address')}
              label={texts.address}
              name="address"
              autoComplete="off"
              spellCheck={false}
              translate="no"
              placeholder={texts.addressPlaceholder(currency)}
              className="figure"
              readOnly={isBusy}
              hint={said}
            />
            {book.length > 0 && (
              <details className="-mt-1">
                <summary className="min-h-11 content-center font-medium">{texts.addressBook}</summary>
                <ul className="grid">
                  {book.map((one) => (
                    <li key={one.id}>
                      <button
                        type="button"
                        className="flex min-h-11 w-full flex-wrap items-baseline gap-x-3 text-left"
                        onClick={() => screen.take(one)}
                      >
                        <b className="font-semibold">{one.name || texts.unnamed}</b>
                        <span className="figure text-sm break-all text-muted" translate="no">
                          {one.address}
                        </span>
                      </button>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
          {chain === 'cpc' && (
            <Field
              {...field('publicKey')}
              label={texts.publicKey}
              name="publicKey"
              autoComplete="off"
              spellCheck={false}
              translate="no"
              className="figure"
              readOnly={isBusy}
              hint={texts.publicKeyHint}
            />
          )}
          <div>
            <p className="mb-1.5 text-sm font-medium">{texts.network}</p>
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-dashed border-strong-line px-4 py-3">
              <Icon>
                <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
              </Icon>
              <b className="font-semibold">{depositTexts.networks[chain]}</b>
              <span className="text-sm text-muted">{depositTexts.oneNetwork(currency)}</span>
            </p>
          </div>
          <Field
            {...field('amount')}
            label={texts.amount}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder={texts.minimumHint}
            className={`figure text-xl ${isTooMuch ? 'text-red' : ''}`}
            readOnly={isBusy}
            hint={
              isTooMuch ? <span className="own">{texts.fromBoth(shown(from.spot), shown(from.funding))}</span> : texts.minimum
            }
            aside={
              <span className="flex items-center gap-3 text-sm text-muted">
                <span>
                  {texts.available} {own(has)}
                </span>
                <button type="button" className="link -my-2 min-h-11" onClick={screen.takeAll}>
                  {texts.max}
                </button>
              </span>
            }
          />
          {needsDetails && (
            <fieldset className="grid gap-3 border-t border-line pt-4">
              <legend className="sr-only">{texts.details}</legend>
              <p className="font-semibold">{texts.details}</p>
              <p className="text-sm text-muted">{texts.detailsAbout}</p>
              <div className="grid gap-2 sm:grid-cols-2">
                {(['self', 'other'] as const).map((one) => (
                  <label key={one} className="choice">
                    <input
                      type="radio"
                      name="party"
                      className="check"
                      checked={party === one}
                      onChange={() => screen.choose(one)}
                    />
                    <b>{texts[one]}</b>
                  </label>
                ))}
              </div>
              <Field {...field('name')} label={texts.fullName} name="party-name" autoComplete="off" readOnly={isBusy} />
              {party === 'other' && (
                <Field
                  {...field('partyAddress')}
                  label={texts.partyAddress}
                  name="party-address"
                  autoComplete="off"
                  readOnly={isBusy}
                />
              )}
              <Field
                {...field('service')}
                label={party === 'self' ? texts.serviceOwn : texts.service}
                name="party-service"
                autoComplete="off"
                readOnly={isBusy}
              />
            </fieldset>
          )}
        </div>
        <section className="hero grid content-between gap-6 rounded-none p-5 sm:p-8" aria-label={texts.result} aria-live="polite">
          <div>
            <p className="text-sm text-hero-muted">{texts.received}</p>
            <p className="figure mt-1 text-3xl font-semibold">
              <output className="own">{formatExactUnits(received, currency)}</output>{' '}
              <small className="text-lg font-normal">{currency}</small>
            </p>
            {price !== undefined && (
              <p className="figure own mt-1 text-hero-muted">{formatCents(valueInCents(received, currency, price), 'USD')}</p>
            )}
            <dl className="mt-5 grid gap-2.5 border-t border-hero-line pt-4">
              <Line name={texts.amount} value={shown(amount)} />
              <Line name={texts.fee} value={`− ${shown(WITHDRAWAL_FEES[currency])}`} isPublic />
              <Line name={texts.fromSpot} value={shown(from.spot)} />
              {from.funding > 0n && <Line name={texts.fromFunding} value={shown(from.funding)} />}
              <Line name={texts.leftAfterwards} value={shown(amount <= has ? has - amount : 0n)} />
              <Line
                name={texts.limitLeft}
                value={`${formatCents(limitAfter(rules, cents), 'USD')} ${texts.limitOf(formatCents(BigInt(rules.dayCents), 'USD'))}`}
              />
            </dl>
            {cents !== undefined && cents > BigInt(rules.approvalAboveCents) && (
              <p className="mt-4 text-sm">{texts.approvedBy(formatCents(BigInt(rules.approvalAboveCents), 'USD'))}</p>
            )}
          </div>
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
            received={shown(received)}
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

function limitAfter({ leftCents }: WithdrawalRules, cents: bigint | undefined): bigint {
  const left = BigInt(leftCents) - (cents ?? 0n)
  return left > 0n ? left : 0n
}

function Line({ name, value, isPublic = false }: { name: string; value: string; isPublic?: boolean }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-hero-muted">{name}</dt>
      <dd className={`figure text-right font-medium ${isPublic ? '' : 'own'}`}>{value}</dd>
    </div>
  )
}
