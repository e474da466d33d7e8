/** The confirmation before a withdrawal is sent. */
import type { createWithdraw, Guarded } from '#lib/client/withdrawals/withdraw.ts'
import { type ChainToken, chainOf } from '#lib/domain/chains/chains.ts'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { depositTexts } from '#messages/deposits/deposit.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'
import { useForm } from '../platform/useForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Facts } from '../ui/Facts.tsx'
import { Field } from '../ui/Field.tsx'
import { Form } from '../ui/Form.tsx'

type Props = {
  screen: ReturnType<typeof createWithdraw>
  currency: ChainToken
  received: string
  guarded: Guarded
  isSmall: boolean
}

export default function WithdrawConfirmation({ screen, currency, received, guarded, isSmall }: Props) {
  const { isConfirming, read = '', fields, error, isBusy, field } = useForm(screen)
  const facts = [
    {
      label: texts.to,
      value: (
        <span className="figure break-all" translate="no">
          {read}
        </span>
      )
    },
    { label: texts.network, value: depositTexts.networks[chainOf(currency)] },
    {
      label: texts.fee,
      value: <span className="figure">{`${formatExactUnits(WITHDRAWAL_FEES[currency], currency)} ${currency}`}</span>
    },
    { label: texts.received, value: <span className="figure">{received}</span>, strong: true }
  ]
  return (
    <Dialog title={texts.confirmTitle} open={isConfirming} onClose={screen.close}>
      <Form onSubmit={() => void screen.confirm(guarded)}>
        <Field
          {...field('amount')}
          label={`${texts.amount} (${currency})`}
          name="confirm-amount"
          inputMode="decimal"
          autoComplete="off"
          className="figure text-xl"
          readOnly={isBusy}
        />
        <Facts facts={facts} />
        <p className="note bg-gold-tint text-gold">{screen.isKnown() ? texts.knownAddress : texts.newAddress}</p>
        <div role="alert">{error && <p className="text-red">{error}</p>}</div>
        <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
          <Button look="quiet" onClick={screen.close}>
            {texts.goBack}
          </Button>
          <Button type="submit" busy={isBusy} busyLabel={texts.withdrawing} disabled={isSmall}>
            {texts.withdraw(`${fields.amount} ${currency}`)}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
