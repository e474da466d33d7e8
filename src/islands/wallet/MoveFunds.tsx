import { useState } from 'react'
import type { createMoveFunds, Side } from '#lib/client/wallet/moveFunds.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { moveFundsTexts } from '#messages/wallet/moveFunds.ts'
import { useForm } from '../platform/useForm.ts'
import { Actions } from '../ui/Actions.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'
import { ThumbSay } from '../ui/Thumb.tsx'

const SIDES: { from: Side; label: string; about: string }[] = [
  { from: 'spot', label: moveFundsTexts.spotToFunding, about: moveFundsTexts.spotToFundingAbout },
  { from: 'funding', label: moveFundsTexts.fundingToSpot, about: moveFundsTexts.fundingToSpotAbout },
  { from: 'reward', label: moveFundsTexts.rewardToSpot, about: moveFundsTexts.rewardToSpotAbout }
]

export default function MoveFunds({ screen }: { screen: ReturnType<typeof createMoveFunds> }) {
  const { currency: chosen, from, spot, funding, reward, isBusy, fields, field } = useForm(screen)
  const available = { spot, funding, reward }
  // Keeps the last token visible while the dialog fades out.
  const [currency, setCurrency] = useState(chosen ?? 'CPC')
  if (chosen !== undefined && chosen !== currency) setCurrency(chosen)
  const typed = readAmount(fields.amount, decimalsOf(currency))
  return (
    <Dialog title={moveFundsTexts.title(currency)} open={chosen !== undefined} onClose={screen.close}>
      <Form onSubmit={screen.submit}>
        <fieldset className="mb-2 grid gap-2 sm:grid-cols-2">
          <legend className="sr-only">{moveFundsTexts.direction}</legend>
          {SIDES.filter((side) => side.from !== 'reward' || reward > 0n || from === 'reward').map((side) => (
            <label key={side.from} className="choice">
              <input
                type="radio"
                name="from"
                className="check"
                checked={from === side.from}
                onChange={() => screen.choose(side.from)}
              />
              <span>
                <b>{side.label}</b>
                <small>{side.about}</small>
                <small className="figure eye">
                  {moveFundsTexts.there(`${formatExactUnits(available[side.from], currency)} ${currency}`)}
                </small>
              </span>
            </label>
          ))}
        </fieldset>
        <Field
          {...field('amount')}
          label={moveFundsTexts.amount}
          name="amount"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          className="figure text-xl"
          readOnly={isBusy}
          hint={moveFundsTexts.hint}
          aside={
            <button type="button" className="link -my-2 min-h-11 text-sm" onClick={screen.takeAll}>
              {moveFundsTexts.all}
            </button>
          }
        />
        <Actions
          busy={isBusy}
          busyLabel={moveFundsTexts.transferring}
          label={moveFundsTexts.transfer}
          onCancel={screen.close}
          say={
            <ThumbSay
              label={moveFundsTexts.youTransfer}
              figure={`${'units' in typed ? formatExactUnits(typed.units, currency) : '–'} ${currency}`}
            />
          }
        />
      </Form>
    </Dialog>
  )
}
