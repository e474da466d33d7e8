/** Fee and received amount of a withdrawal to a bank account. Source: spec section 9, as for every withdrawal. */
import { readAmount } from '../money/amount.ts'
import { decimalsOf } from '../money/currencies.ts'
import { decimal, multiply, rescale, toDecimal, writeDecimal } from '../money/decimal.ts'
import { receivedOf } from '../withdrawals/withdrawal.ts'
import { type EuroSource, SAMPLE_AVAILABLE, SAMPLE_EUR_PRICES } from './sample.ts'

/** The problem of a typed amount; `amount_required` if nothing is typed. */
export type EuroAmountProblem = 'amount_required' | 'amount_invalid' | 'amount_too_much' | 'amount_below_fee'

/** The figures for the typed amount: `units` in smallest units; `received` in euro after the fee, rounded down to a cent. */
export function euroFigures(source: EuroSource, typed: string) {
  const decimals = decimalsOf(source)
  const read = readAmount(typed, decimals)
  const units = read.error ? 0n : read.units
  const left = receivedOf(source, units)
  const received = writeDecimal(rescale(multiply(toDecimal(left, decimals), decimal(SAMPLE_EUR_PRICES[source])), 2, 'down'))
  const isTooMuch = units > SAMPLE_AVAILABLE[source]
  return { units, received, isTooMuch, problem: problemOf(typed, units, left, isTooMuch) }
}

function problemOf(typed: string, units: bigint, left: bigint, isTooMuch: boolean): EuroAmountProblem | undefined {
  if (typed.trim() === '') return 'amount_required'
  if (units === 0n) return 'amount_invalid'
  if (isTooMuch) return 'amount_too_much'
  return left === 0n ? 'amount_below_fee' : undefined
}
