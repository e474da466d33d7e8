import { decimal, divide } from '../money/decimal.ts'
import { tokensFor } from '../orders/purchase.ts'

const REFERRAL_PERCENT = 5n

/** The inviter's reward: 5 % of the order's fiat value (US cents) in CPC at the fixed price, rounded down. */
export function referralReward(fiatCents: bigint, cpcPriceUsd: string): bigint {
  return tokensFor(divide(fiatCents * REFERRAL_PERCENT, 100n, 'down'), decimal(cpcPriceUsd), 'CPC')
}
