/** The reasons of bookings. Each needs a kind of statement line: a new reason without one does not compile. */
import type { CustomerKind, HouseKind } from './holdings.ts'

/** The kinds of statement lines that customers see. */
export const LINE_KINDS = ['purchase', 'deposit', 'withdrawal', 'trade', 'reward', 'staking', 'move', 'adjustment'] as const
export type LineKind = (typeof LINE_KINDS)[number]

export type LedgerReason =
  | 'moved_between_accounts'
  | 'order_completed'
  | 'payment_unmatched'
  | 'payment_returned'
  | 'reward_taken_back'
  | 'payment_refunded'
  | 'bank_debit'
  | 'bank_opening_balance'
  | 'deposit_credited'
  | 'deposit_kept'
  | 'deposit_reverted'
  | 'house_funding'
  | 'surplus_kept'
  | 'suspense_decided'
  | 'suspense_returned'
  | 'withdrawal_requested'
  | 'withdrawal_returned'
  | 'withdrawal_confirmed'
  | 'p2p_listed'
  | 'p2p_cancelled'
  | 'p2p_traded'
  | 'staking_rewarded'
  | 'staking_returned'
  | 'bonus_released'
  | 'fund_filled'
  | 'network_fee'
  | 'cold_moved'
  | 'cold_refilled'
  | 'stock_settled'
  | 'adjustment'

const LINE_KIND_OF: Record<LedgerReason, LineKind> = {
  moved_between_accounts: 'move',
  order_completed: 'purchase',
  payment_unmatched: 'adjustment',
  payment_returned: 'adjustment',
  reward_taken_back: 'reward',
  payment_refunded: 'adjustment',
  bank_debit: 'adjustment',
  bank_opening_balance: 'adjustment',
  deposit_credited: 'deposit',
  deposit_kept: 'adjustment',
  deposit_reverted: 'deposit',
  house_funding: 'adjustment',
  surplus_kept: 'adjustment',
  suspense_decided: 'deposit',
  suspense_returned: 'adjustment',
  withdrawal_requested: 'withdrawal',
  withdrawal_returned: 'withdrawal',
  withdrawal_confirmed: 'withdrawal',
  p2p_listed: 'trade',
  p2p_cancelled: 'trade',
  p2p_traded: 'trade',
  staking_rewarded: 'staking',
  staking_returned: 'staking',
  bonus_released: 'staking',
  fund_filled: 'adjustment',
  network_fee: 'adjustment',
  cold_moved: 'adjustment',
  cold_refilled: 'adjustment',
  stock_settled: 'adjustment',
  adjustment: 'adjustment'
}

/** Counterpart accounts that decide a line's kind instead of the reason, because one booking may pay several customers. */
const LINE_KIND_OF_COUNTERPART: Partial<Record<CustomerKind | HouseKind, LineKind>> = {
  rewards: 'reward',
  staking_rewards: 'staking'
}

/** The kind of a line: by the counterpart account if that decides, otherwise by the reason. */
export function lineKind(reason: LedgerReason, counterpart: CustomerKind | HouseKind): LineKind {
  return LINE_KIND_OF_COUNTERPART[counterpart] ?? LINE_KIND_OF[reason]
}

/** The reasons and counterparts that make a line of `kind`, for a query: the same rule as `lineKind`. */
export function bookingsOfKind(kind: LineKind): { reasons: string[]; counterparts: string[]; notCounterparts: string[] } {
  const reasons = Object.entries(LINE_KIND_OF).flatMap(([reason, one]) => (one === kind ? [reason] : []))
  const deciding = Object.entries(LINE_KIND_OF_COUNTERPART)
  return {
    reasons,
    counterparts: deciding.flatMap(([account, one]) => (one === kind ? [account] : [])),
    notCounterparts: deciding.map(([account]) => account)
  }
}

/** The type of record that a booking belongs to. */
export type SourceType =
  | 'order'
  | 'payment'
  | 'move'
  | 'bank_statement'
  | 'deposit'
  | 'surplus'
  | 'suspense'
  | 'withdrawal'
  | 'p2p_order'
  | 'p2p_trade'
  | 'chain_send'
  | 'adjustment'
