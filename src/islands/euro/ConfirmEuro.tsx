import { useEffect, useState } from 'react'
import { type EuroWithdrawal, endHandover, readHandover } from '#lib/client/euro/handover.ts'
import { groupIban } from '#lib/domain/euro/history.ts'
import { SAMPLE_PAYOUTS } from '#lib/domain/euro/sample.ts'
import { euroFigures } from '#lib/domain/euro/withdrawal.ts'
import { WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatEur, formatExactUnits } from '#lib/format/amount.ts'
import { confirmEuroTexts as texts } from '#messages/euro/euro.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { type Fact, Facts } from '../ui/Facts.tsx'

/** The confirmation of a euro withdrawal. Without the form's data it goes back to the form. */
export function ConfirmEuro() {
  const [withdrawal, setWithdrawal] = useState<EuroWithdrawal>()
  const [isDone, setDone] = useState(false)

  useEffect(() => {
    const kept = readHandover()
    if (kept) setWithdrawal(kept)
    else location.replace('/euro-withdraw')
  }, [])

  function confirm() {
    // Back must not lead to the same confirmation again.
    endHandover()
    setDone(true)
  }

  if (isDone)
    return (
      <div className="text-center" role="status">
        <h2 className="text-xl font-semibold">{texts.done}</h2>
        <p className="mt-2 text-muted">{texts.doneAbout}</p>
        <a className="button button-primary mt-6" href="/euro-history">
          {texts.toHistory}
        </a>
      </div>
    )
  if (!withdrawal)
    return (
      <p aria-busy="true" className="text-muted">
        {texts.loading}
      </p>
    )
  return (
    <>
      <Facts facts={factsOf(withdrawal)} />
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <a className="button button-quiet" href="/euro-withdraw">
          {texts.change}
        </a>
        <Button onClick={confirm}>{texts.confirm}</Button>
      </div>
    </>
  )
}

function factsOf({ source, payout, amount, remarks }: EuroWithdrawal): Fact[] {
  const { units, received } = euroFigures(source, amount)
  const { iban, bank } = SAMPLE_PAYOUTS.find(({ id }) => id === payout) ?? SAMPLE_PAYOUTS[0]
  return [
    { label: texts.from, value: <Amount value={formatExactUnits(units, source)} unit={source} /> },
    { label: texts.to, value: <Amount value={groupIban(iban)} />, hint: bank },
    { label: texts.fee, value: <Amount value={formatExactUnits(WITHDRAWAL_FEES[source], source)} unit={source} /> },
    { label: texts.received, value: <Amount value={formatEur(received)} />, strong: true },
    ...(remarks ? [{ label: texts.remarks, value: remarks }] : [])
  ]
}
