import { useEffect, useState } from 'react'
import { createEuroWithdraw } from '#lib/client/euro/withdraw.ts'
import { groupIban } from '#lib/domain/euro/history.ts'
import { EURO_SOURCES, type EuroSource, SAMPLE_AVAILABLE, SAMPLE_EUR_PRICES, SAMPLE_PAYOUTS } from '#lib/domain/euro/sample.ts'
import { euroFigures } from '#lib/domain/euro/withdrawal.ts'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatEur, formatExactUnits } from '#lib/format/amount.ts'
import { euroWithdrawTexts as texts } from '#messages/euro/euro.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { Thumb } from '../ui/Thumb.tsx'
import { TokenMark } from '../ui/TokenMark.tsx'

const shown = (units: bigint, source: EuroSource) => `${formatExactUnits(units, source)} ${source}`

/** Three steps on the left; on the right the amount that arrives, and the button. */
export function EuroWithdraw() {
  const [screen] = useState(createEuroWithdraw)
  useEffect(() => screen.restore(), [screen])
  const { fields, field, error, isBusy, source, payout, payoutError } = useForm(screen)
  const { received, isTooMuch } = euroFigures(source, fields.amount)

  return (
    <Form onSubmit={async () => screen.submit()} className="card deal">
      <div className="deal-choices">
        <fieldset>
          <Legend number={1}>{texts.source}</Legend>
          <div className="grid gap-2 sm:grid-cols-3">
            {EURO_SOURCES.map((code) => (
              <label key={code} className="choice items-center">
                <input
                  type="radio"
                  name="source"
                  className="check"
                  checked={code === source}
                  onChange={() => screen.choose(code)}
                />
                <TokenMark code={code} />
                <b>{code}</b>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset aria-describedby={payoutError ? 'payout-error' : undefined}>
          <Legend number={2}>{texts.destination}</Legend>
          <div className="grid gap-2">
            {SAMPLE_PAYOUTS.map(({ id, bank, iban }) => (
              <label key={id} className="choice items-center">
                <input
                  type="radio"
                  name="payout"
                  className="check"
                  checked={id === payout}
                  onChange={() => screen.choosePayout(id)}
                />
                <span className="min-w-0">
                  <b className="figure block">{groupIban(iban)}</b>
                  <small className="block text-sm text-muted">{bank}</small>
                </span>
              </label>
            ))}
          </div>
          <p id="payout-error" className="min-h-7 pt-1 text-sm text-red" aria-live="polite">
            {payoutError}
          </p>
        </fieldset>
        <fieldset>
          <Legend number={3}>{texts.amountStep}</Legend>
          <Field
            {...field('amount')}
            label={texts.amount}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            placeholder={texts.placeholder}
            className={`figure ${isTooMuch ? 'text-red' : ''}`}
            aside={
              <span className="flex items-center gap-3 text-sm text-muted">
                <span className="figure">
                  {texts.available} {shown(SAMPLE_AVAILABLE[source], source)}
                </span>
                <button type="button" className="link min-h-11 min-w-11" onClick={screen.takeAll}>
                  {texts.max}
                </button>
              </span>
            }
          />
          <Field {...field('remarks')} label={texts.remarks} name="remarks" autoComplete="off" maxLength={140} />
        </fieldset>
      </div>
      <section className="deal-result" aria-label={texts.received} aria-live="polite">
        <p className="text-sm text-hero-muted">{texts.received}</p>
        <p className="figure mt-1 text-3xl font-semibold">
          <output>{formatEur(received)}</output>
        </p>
        <dl className="mt-5 border-t border-hero-line pt-4">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-hero-muted">{texts.fee}</dt>
            <dd className="figure font-medium">{shown(WITHDRAWAL_FEES[source], source)}</dd>
          </div>
        </dl>
        <p className="mt-4 text-sm text-hero-muted">{texts.rate(source, `€${SAMPLE_EUR_PRICES[source]}`)}</p>
        <div role="alert">{error && <p className="mt-4 font-medium">{error}</p>}</div>
      </section>
      <Thumb label={texts.received} figure={formatEur(received)}>
        <Button type="submit" look="on-hero" busy={isBusy}>
          {texts.submit}
        </Button>
      </Thumb>
    </Form>
  )
}

function Legend({ number, children }: { number: number; children: string }) {
  return (
    <legend className="mb-2 flex items-center gap-2.5 font-semibold">
      <span className="figure inline-flex size-6 items-center justify-center rounded-full bg-accent-tint text-sm text-accent">
        {number}
      </span>
      {children}
    </legend>
  )
}
