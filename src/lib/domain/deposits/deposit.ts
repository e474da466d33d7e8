/** The rules of incoming coins. Source: spec sections 3 and 4; ADR 0024. */
import type { ChainToken } from '../chains/chains.ts'
import { isChainToken } from '../chains/chains.ts'

/** In order: in a block; enough confirmations, but not credited yet; credited to the customer. */
export const DEPOSIT_STATUSES = ['PENDING', 'TX_CONFIRMED', 'CREDITED'] as const
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number]

/**
 * Why a deposit is not credited, in order: below the smallest deposit, until others at the same address make it up; a token that we don't support; an address without proof that
 * our signer made it; an address that no customer was given; coins about which an operator decided before their payment was read; a block
 * removed by a reorganisation.
 */
export const DEPOSIT_NOTES = ['small', 'unsupported', 'unproven', 'unassigned', 'decided', 'reorganised'] as const
export type DepositNote = (typeof DEPOSIT_NOTES)[number]

export type DepositRules = {
  /** Smallest units. */
  smallest: Record<ChainToken, bigint>
  confirmations: Record<ChainToken, number>
}

/** Payments in unknown tokens kept per block and address: a limit, because anybody can create a token and send it to everybody. */
const UNKNOWN_TOKENS_KEPT = 3
/** More than the supply of any token of value. Larger amounts are dropped, so that the ledger cannot overflow. */
const MOST_UNITS = 10n ** 40n

type Payment = { token: string; amount: bigint; address: string }

/** The payments of a block that we store: all in tokens that we know, and a few in other tokens. */
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

/** Why a payment to a customer's address cannot be credited; null if it can. */
export function noteOf(token: string, amount: bigint, { smallest }: DepositRules): DepositNote | null {
  if (!isChainToken(token)) return 'unsupported'
  return amount < smallest[token] ? 'small' : null
}

/** What it costs to spend a Bitcoin output, in satoshi: 68 virtual bytes at 15 satoshi each. */
const COST_TO_SPEND = 1_020n

/** True if a small deposit counts towards the smallest one: a Bitcoin output that costs more to spend than it holds never does. */
export function countsAsSmall(token: string, amount: bigint): boolean {
  return token !== 'BTC' || amount > COST_TO_SPEND
}

/** The confirmations that a deposit needs, its own block included. An unknown token uses the number of `fallback`. */
export function confirmationsFor(token: string, fallback: ChainToken, { confirmations }: DepositRules): number {
  return confirmations[isChainToken(token) ? token : fallback]
}

/** The confirmations of a deposit when the chain has been read up to block `newest`. */
export function confirmationsAt(newest: number, height: number): number {
  return Math.max(0, newest - height + 1)
}

const NEWS_MS = 24 * 3_600_000
const MOST_NEWS = 3

type Arrival = { currency: string; note: DepositNote | null; status: DepositStatus; creditedAt: string | null }

/** A token's deposits to show on its page: those not credited yet, and those credited within a day; at most `MOST_NEWS`. */
export function arrivalsOf<D extends Arrival>(deposits: D[], currency: string, nowMs: number): D[] {
  const isNews = ({ status, creditedAt }: D) =>
    status !== 'CREDITED' || (creditedAt !== null && nowMs - Date.parse(creditedAt) < NEWS_MS)
  return deposits.filter((one) => one.currency === currency && one.note === null && isNews(one)).slice(0, MOST_NEWS)
}

/** Average seconds per block. */
const BLOCK_SECONDS: Record<ChainToken, number> = { BTC: 600, ETH: 12, USDC: 12, CPC: 60 }

/** Whole minutes until a transfer has this many blocks more; at least one. */
export function minutesOf(currency: ChainToken, blocks: number): number {
  return Math.max(1, Math.ceil((blocks * BLOCK_SECONDS[currency]) / 60))
}
