/** The rules of withdrawals. Source: spec sections 5 and 9; docs/architecture.md. */
import type { ChainToken } from '../chains/chains.ts'

/** What we charge, in smallest units; the customer receives the amount less this. Source: spec section 9. */
export const WITHDRAWAL_FEES: Record<ChainToken, bigint> = {
  BTC: 3_000n,
  CPC: 1_000_000_000n,
  USDC: 3_000_000n,
  ETH: 800_000_000_000_000n
}

/** The least that the network carries, in smallest units: Bitcoin's nodes do not forward an output below its dust limit. */
const SMALLEST_RECEIVED: Record<ChainToken, bigint> = { BTC: 546n, CPC: 1n, USDC: 1n, ETH: 1n }

/** What arrives of an amount; never below zero. */
export function receivedOf(currency: ChainToken, amount: bigint): bigint {
  const received = amount - WITHDRAWAL_FEES[currency]
  return received > 0n ? received : 0n
}

/** The smallest amount that can be withdrawn: less would not arrive. */
export function smallestWithdrawal(currency: ChainToken): bigint {
  return WITHDRAWAL_FEES[currency] + SMALLEST_RECEIVED[currency]
}

/** A network fee above so many times our own waits until the network is cheaper. */
export const MOST_FEE_TIMES = 3n

/**
 * What a withdrawal waits for, in order: the customer confirms a new address by mail; an operator approves it; the signer signs it;
 * the network confirms it. `signed`: its bytes may be on their way, so that only the chain decides what becomes of it.
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

/** On the wire. `CANCELLED` is a value beyond the spec. */
export const WITHDRAWAL_STATUSES = ['PENDING', 'TX_CONFIRMED', 'CANCELLED'] as const
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number]

/**
 * The steps that a withdrawal may take; the database refuses every other one. What the signer finds in its journal is on its way,
 * whatever the database had planned for it: hence `signed` after every state that is not over.
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

/** The states from which a withdrawal may come to this one. */
export function statesBefore(state: WithdrawalState): WithdrawalState[] {
  return WITHDRAWAL_STATES.filter((from) => WITHDRAWAL_STEPS[from].includes(state))
}

const OVER: readonly WithdrawalState[] = ['cancelled', 'rejected', 'given_back']
/** Before it is signed, the customer may take it back. */
export const CANCELLABLE: readonly WithdrawalState[] = statesBefore('cancelled')

export function statusOf(state: WithdrawalState): WithdrawalStatus {
  if (state === 'confirmed') return 'TX_CONFIRMED'
  return OVER.includes(state) ? 'CANCELLED' : 'PENDING'
}

/** Whether it counts against the limits: one that the chain did not carry out does, because the signer had signed it. */
export function counts(state: WithdrawalState): boolean {
  return state !== 'cancelled' && state !== 'rejected'
}

/** How many withdrawals of a customer may be open at a time. */
export const MOST_OPEN = 20

/** Why an approved withdrawal is not signed yet. */
export const WAIT_REASONS = ['network_fee', 'hot_wallet', 'signer_limit', 'halted', 'gate', 'checked', 'refused'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

/** USD cents; settings. */
export type WithdrawalLimits = {
  /** What a customer may request in 24 hours. */
  dayCents: bigint
  /** A withdrawal above this waits for an operator. */
  approvalAboveCents: bigint
  /** What the signer signs in 24 hours. */
  signerDayCents: bigint
}
