/** The figures of a withdrawal while it is typed, and what is wrong with its amount. */
import type { Answer } from '#lib/contract/types.ts'
import type { ChainToken } from '#lib/domain/chains/chains.ts'
import { needsDetails } from '#lib/domain/chains/parties.ts'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { readAmount } from '#lib/domain/money/amount.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { centsIn, valueAtMost } from '#lib/domain/rates/prices.ts'
import { receivedOf, smallestWithdrawal, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { formatCents, formatExactUnits } from '#lib/format/amount.ts'
import { amountMessages } from '#messages/wallet/wallet.ts'
import { withdrawTexts as texts } from '#messages/withdrawals/withdraw.ts'

export type WithdrawalRules = Answer<'getWithdrawalRules'>
export type KnownAddress = Answer<'listWithdrawalAddresses'>[number]

export type WithdrawFacts = {
  currency: ChainToken
  /** Smallest units that can be withdrawn. */
  spot: bigint
  funding: bigint
  /** USD; undefined where there is no price. */
  price: string | undefined
  eurPerUsd: string | undefined
  rules: WithdrawalRules
  addresses: KnownAddress[]
  /** The customer's name of the identity check. */
  verifiedName: string | null
  /** The amount that the form begins with, e.g. of the palette's "withdraw btc 0.01". */
  amount: string
}

export type Figures = ReturnType<typeof figuresOf>

/** `amount` in smallest units, zero while `units` cannot be read; `cents` in USD; `missing`: what the customer lacks of it. */
export function figuresOf({ currency, spot, funding, price, eurPerUsd, rules }: WithdrawFacts, typed: string) {
  const read = readAmount(typed, decimalsOf(currency))
  const units = 'units' in read ? read.units : undefined
  const amount = units ?? 0n
  const { missing, ...from } = spotFirst(amount, { spot, funding })
  const cents = price === undefined ? undefined : valueAtMost(amount, currency, price)
  const euroCents = cents === undefined || eurPerUsd === undefined ? 0n : centsIn('EUR', cents, eurPerUsd)
  return {
    error: read.error,
    units,
    amount,
    received: receivedOf(currency, amount),
    /** Nothing would arrive of it, or less than the smallest part. */
    isTooSmall: units !== undefined && amount < smallestWithdrawal(currency),
    from,
    missing,
    cents,
    needsDetails: needsDetails(BigInt(rules.linkedEuroCents) + euroCents),
    isAboveLimit: cents !== undefined && cents > BigInt(rules.leftCents)
  }
}

const shown = (units: bigint, currency: string) => `${formatExactUnits(units, currency)} ${currency}`

/** The sentence at the amount; undefined where it is right. */
export function amountProblem(facts: WithdrawFacts, typed: string): string | undefined {
  const { currency, spot, funding, rules } = facts
  const { error, amount, missing, isAboveLimit } = figuresOf(facts, typed)
  if (error) return error === 'amount_required' ? texts.missingAmount : amountMessages[error]
  const fee = WITHDRAWAL_FEES[currency]
  if (missing > 0n) return texts.insufficient(shown(spot + funding, currency))
  if (amount <= fee) return texts.belowFee(shown(amount, currency), shown(fee, currency))
  if (amount < smallestWithdrawal(currency))
    return texts.belowLeast(shown(smallestWithdrawal(currency), currency), shown(fee, currency))
  return isAboveLimit ? texts.aboveLimit(formatCents(BigInt(rules.leftCents), 'USD')) : undefined
}

/** The same while typing: only what further digits cannot mend. */
export function liveAmountProblem(facts: WithdrawFacts, typed: string): string | undefined {
  const { error, missing, isAboveLimit } = figuresOf(facts, typed)
  return error !== 'amount_required' && (error || missing > 0n || isAboveLimit) ? amountProblem(facts, typed) : undefined
}
