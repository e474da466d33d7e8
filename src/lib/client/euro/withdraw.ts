/** The form to withdraw to a bank account (spec sections 2 and 5), with sample data. The confirmation is a page of its own. */

import { type EuroSource, type PayoutId, SAMPLE_AVAILABLE } from '#lib/domain/euro/sample.ts'
import { euroFigures } from '#lib/domain/euro/withdrawal.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { toDecimal, writeDecimal } from '#lib/domain/money/decimal.ts'
import { euroWithdrawTexts as texts } from '#messages/euro/euro.ts'
import { withdrawTexts } from '#messages/withdrawals/withdraw.ts'
import { createForm } from '../platform/form.ts'
import { goTo } from '../platform/navigation.ts'
import { handOver, readHandover } from './handover.ts'

type Field = 'amount' | 'remarks'
type More = { source: EuroSource; payout: PayoutId | undefined; payoutError: string | undefined }

export function createEuroWithdraw(go: (path: string) => void = goTo) {
  const form = createForm<Field, More>({ amount: '', remarks: '' }, { source: 'CPC', payout: undefined, payoutError: undefined })
  const { state } = form

  /** Fills in the form again when the customer comes back from the confirmation. */
  function restore(): void {
    const kept = readHandover()
    if (!kept) return
    const { amount, remarks, source, payout } = kept
    form.change({ source, payout, fields: { amount, remarks } })
  }

  function problem(typed: string): string | undefined {
    const { problem: found } = euroFigures(state.get().source, typed)
    return found && texts.errors[found]
  }

  function type(field: Field, text: string): void {
    form.type(field, text)
    // While typing, show only an error that further digits cannot fix.
    if (field === 'amount' && euroFigures(state.get().source, text).isTooMuch) form.put('amount', text, problem(text))
  }

  function choose(source: EuroSource): void {
    form.change({ source })
    const { amount } = state.get().fields
    if (amount !== '') type('amount', amount)
  }

  function choosePayout(payout: PayoutId): void {
    form.change({ payout, payoutError: undefined, error: undefined })
  }

  function takeAll(): void {
    const { source } = state.get()
    type('amount', writeDecimal(toDecimal(SAMPLE_AVAILABLE[source], decimalsOf(source))).replace(/\.?0+$/, ''))
  }

  function submit(): void {
    const { fields, source, payout } = state.get()
    const isRight = form.check({ amount: problem(fields.amount) })
    if (!payout) form.change({ payoutError: texts.missingDestination })
    if (!payout || fields.amount.trim() === '') form.change({ error: withdrawTexts.missing })
    if (!isRight || !payout) return
    handOver({ source, payout, amount: fields.amount.trim(), remarks: fields.remarks.trim() })
    go('/confirm-euro')
  }

  return { state, type, choose, choosePayout, takeAll, submit, restore }
}
