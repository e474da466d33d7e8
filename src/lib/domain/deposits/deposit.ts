/** What becomes of coins that arrive. Source: spec sections 3 and 4; docs/architecture.md. */
import type { ChainToken } from '../chains/chains.ts'
import { isChainToken } from '../chains/chains.ts'

/** In a block; deep enough but not the customer's to use; the customer's. */
export const DEPOSIT_STATUSES = ['PENDING', 'TX_CONFIRMED', 'CREDITED'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

/**
 * Why it is not credited: less than the smallest deposit, a token that we don't support, an address that our signer did not make, one
 * that was given to nobody, or a block that the network removed.
 */
export const DEPOSIT_NOTES = ['small', 'unsupported', 'unproven', 'unassigned', 'reorganised'] as const
export type DepositNote = (typeof DEPOSIT_NOTES)[number]

export type DepositRules = {
  /** Smallest units. */
  smallest: Record<ChainToken, bigint>
  confirmations: Record<ChainToken, number>
}

/** Anybody can make a token and send it to everybody. Of those that we don't know, so many a block and address are kept. */
const UNKNOWN_TOKENS_KEPT = 3
/** More than any token that is worth something has: the books must not overflow. */
const MOST_UNITS = 10n ** 40n

type Payment = { token: string; amount: bigint; address: string }

/** The payments of a block that are kept: all of tokens that we know, and a few of others. */
export function keptPayments<P extends Payment>(payments: P[]): P[] {
  const kept = new Map<string, number>()
  return payments.filter(({ token, amount, address }) => {
    if (amount <= 0n || amount > MOST_UNITS) return false
    if (isChainToken(token)) return true
    const count = (kept.get(address) ?? 0) + 1
    kept.set(address, count)
    return count <= UNKNOWN_TOKENS_KEPT
  })
}

/** What keeps a payment to a customer's address from being credited; null where nothing does. */
export function noteOf(token: string, amount: bigint, { smallest }: DepositRules): DepositNote | null {
  if (!isChainToken(token)) return 'unsupported'
  return amount < smallest[token] ? 'small' : null
}

/** How many blocks, its own included, a deposit needs. An unknown token is as safe as the chain's slowest one. */
export function confirmationsFor(token: string, fallback: ChainToken, { confirmations }: DepositRules): number {
  return confirmations[isChainToken(token) ? token : fallback]
}

/** How many blocks confirm a deposit when the chain was read up to `newest`. */
export function confirmationsAt(newest: number, height: number): number {
  return Math.max(0, newest - height + 1)
}

export type Shares = { debts: { id: bigint; amount: bigint }[]; rest: bigint }

/** What of a new deposit pays the customer's debts, oldest first, and what is left for them. */
export function payDebts(amount: bigint, owed: { id: bigint; owed: bigint }[]): Shares {
  let rest = amount
  const debts: Shares['debts'] = []
  for (const debt of owed) {
    const paid = rest < debt.owed ? rest : debt.owed
    if (paid > 0n) debts.push({ id: debt.id, amount: paid })
    rest -= paid
  }
  return { debts, rest }
}

const NEWS_MS = 24 * 3_600_000
const MOST_NEWS = 3

type Arrival = { currency: string; note: DepositNote | null; status: DepositStatus; creditedAt: string | null }

/** What of a token's newest deposits is news: what is under way, and what was credited within a day. */
export function arrivalsOf<D extends Arrival>(deposits: D[], currency: string, nowMs: number): D[] {
  const isNews = ({ status, creditedAt }: D) =>
    status !== 'CREDITED' || (creditedAt !== null && nowMs - Date.parse(creditedAt) < NEWS_MS)
  return deposits.filter((one) => one.currency === currency && one.note === null && isNews(one)).slice(0, MOST_NEWS)
}
