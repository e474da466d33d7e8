/** What the signer signs at most, whatever the database says. Source: ADR 0034. */
import type { ChainToken } from './chains.ts'

export type SignerLimits = {
  /** USD cents in 24 hours: for all customers together, and for one. */
  dayCents: bigint
  customerDayCents: bigint
  /** Smallest units: in 24 hours, and for one payment. They hold where a wrong price makes the worth in USD wrong. */
  coins: Record<ChainToken, { day: bigint; payment: bigint }>
  /** The part of `dayCents` and of each `coins.day`, in percent, that may go to addresses first paid within the last 7 days. */
  newPercent: bigint
  /** Smallest units that are moved to cold storage in 24 hours. */
  cold: Record<ChainToken, bigint>
}

/** A payment that counts against the limits. `isNew`: its address was first paid within the last 7 days, or never. */
export type Counted = { token: ChainToken; amount: bigint; cents: bigint; customer: string | undefined; isNew: boolean }

/** The limit that this payment would exceed after those of the last 24 hours; undefined if none. */
export type ExceededLimit = 'payment_coins' | 'day_usd' | 'day_coins' | 'customer_usd' | 'new_usd' | 'new_coins' | 'cold_coins'

const PERCENT = 100n
const sum = (list: Counted[], of: (one: Counted) => bigint) => list.reduce((total, one) => total + of(one), 0n)

export function exceededLimit(limits: SignerLimits, day: Counted[], next: Counted): ExceededLimit | undefined {
  const { dayCents, customerDayCents, coins, newPercent } = limits
  const { day: dayCoins, payment } = coins[next.token]
  const all = [...day, next]
  const sameToken = all.filter(({ token }) => token === next.token)
  const isNew = ({ isNew: is }: Counted) => is
  if (next.amount > payment) return 'payment_coins'
  if (sum(all, ({ cents }) => cents) > dayCents) return 'day_usd'
  if (sum(sameToken, ({ amount }) => amount) > dayCoins) return 'day_coins'
  const theirs = all.filter(({ customer }) => customer !== undefined && customer === next.customer)
  if (sum(theirs, ({ cents }) => cents) > customerDayCents) return 'customer_usd'
  if (!next.isNew) return undefined
  if (sum(all.filter(isNew), ({ cents }) => cents) * PERCENT > dayCents * newPercent) return 'new_usd'
  return sum(sameToken.filter(isNew), ({ amount }) => amount) * PERCENT > dayCoins * newPercent ? 'new_coins' : undefined
}
