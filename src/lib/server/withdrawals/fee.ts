import { type ChainToken, chainOf, NATIVE } from '#lib/domain/chains/chains.ts'
import { decimalsOf } from '#lib/domain/money/currencies.ts'
import { decimal, multiply, quotient, toDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import { MOST_FEE_TIMES, WITHDRAWAL_FEES } from '#lib/domain/withdrawals/withdrawal.ts'
import { MOST_NETWORK_FEE } from '../chains/index.ts'
import { priceOf, type Rates } from '../rates/index.ts'

const SCALE = 18

/**
 * The highest network fee that we pay for a withdrawal, in the chain's own token: a multiple of the fee that we charge. Throws
 * UnavailableError without a price.
 */
export function mostFeeOf(rates: Rates, currency: ChainToken): bigint {
  const chain = chainOf(currency)
  const native = NATIVE[chain]
  const most = WITHDRAWAL_FEES[currency] * MOST_FEE_TIMES
  if (native === currency) return most
  const worth = multiply(toDecimal(most, decimalsOf(currency)), decimal(priceOf(rates, currency)))
  const asked = toUnits(quotient(worth, decimal(priceOf(rates, native)), SCALE, 'down'), decimalsOf(native), 'down')
  return asked < MOST_NETWORK_FEE[chain] ? asked : MOST_NETWORK_FEE[chain]
}
