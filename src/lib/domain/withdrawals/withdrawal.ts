/** The rules of withdrawals. Source: spec sections 5 and 9; ADR 0025. */
import type { ChainToken } from '../chains/chains.ts'

/** Our fees, in smallest units; the customer receives the amount minus the fee. Source: spec section 9. */
export const WITHDRAWAL_FEES: Record<ChainToken, bigint> = {
  BTC: 3_000n,
  CPC: 1_000_000_000n,
  USDC: 3_000_000n,
  ETH: 800_000_000_000_000n
}

/** The least that the network transfers, in smallest units: Bitcoin's nodes do not relay an output below the dust limit. */
const SMALLEST_RECEIVED: Record<ChainToken, bigint> = { BTC: 546n, CPC: 1n, USDC: 1n, ETH: 1n }

/** The amount that arrives after the fee; never below zero. */
export function receivedOf(currency: ChainToken, amount: bigint): bigint {
  const received = amount - WITHDRAWAL_FEES[currency]
  return received > 0n ? received : 0n
}

/** The smallest amount that can be withdrawn: less would not arrive. */
export function smallestWithdrawal(currency: ChainToken): bigint {
  return WITHDRAWAL_FEES[currency] + SMALLEST_RECEIVED[currency]
}

/** A withdrawal waits while the network fee is above our own fee times this. */
export const MOST_FEE_TIMES = 3n

/**
 * The first four wait, in order: for the customer to confirm a new address by mail; for an operator's approval; for the signer; for
 * the network's confirmation. `signed`: its bytes may already be broadcast, so only the chain decides the outcome.
 */
export const WITHDRAWAL_STATES = [
  'unconfirmed',
  'review',
  'approved',
  'signed',
  'confirmed',
  'cancelled',
  'rejected',
  'given_back'
] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** The statuses in the API. `CANCELLED` is our addition to the spec. */
export const WITHDRAWAL_STATUSES = ['PENDING', 'TX_CONFIRMED', 'CANCELLED'] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/**
 * The allowed steps of a withdrawal; the database refuses every other. A transaction in the signer's journal may already be
 * broadcast, whatever the database has planned: so `signed` can follow every state before it.
 */
export const WITHDRAWAL_STEPS: Record<WithdrawalState, readonly WithdrawalState[]> = {
  unconfirmed: ['review', 'approved', 'signed', 'cancelled', 'rejected'],
  review: ['approved', 'signed', 'cancelled', 'rejected'],
  approved: ['review', 'signed', 'cancelled', 'rejected'],
  signed: ['confirmed', 'given_back'],
  confirmed: [],
  cancelled: [],
  rejected: [],
  given_back: []
}

/** The states from which a withdrawal may change to this one. */
export function statesBefore(state: WithdrawalState): WithdrawalState[] {
  return WITHDRAWAL_STATES.filter((from) => WITHDRAWAL_STEPS[from].includes(state))
}

const OVER: readonly WithdrawalState[] = ['cancelled', 'rejected', 'given_back']
/** The customer may cancel it until it is signed. */
export const CANCELLABLE: readonly WithdrawalState[] = statesBefore('cancelled')

export function statusOf(state: WithdrawalState): WithdrawalStatus {
  if (state === 'confirmed') return 'TX_CONFIRMED'
  return OVER.includes(state) ? 'CANCELLED' : 'PENDING'
}

/** True if it counts against the limits. `given_back` counts too: the signer had signed it, only the chain did not execute it. */
export function counts(state: WithdrawalState): boolean {
  return state !== 'cancelled' && state !== 'rejected'
}

/** The most withdrawals that a customer may have open at a time. */
export const MOST_OPEN = 20

/** Why an approved withdrawal is not signed yet. */
export const WAIT_REASONS = [
  'network_fee',
  'hot_wallet',
  'signer_limit',
  'halted',
  'gate',
  'checked',
  'refused',
  'small_coins',
  'stuck'
] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** Settings, in USD cents. */
export type WithdrawalLimits = {
  /** The most that a customer may request in 24 hours. */
  dayCents: bigint
  /** The most to which two persons may raise it for one customer. */
  mostCents: bigint
  /** A withdrawal above this waits for an operator. */
  approvalAboveCents: bigint
}
