/** Labels and colours of a withdrawal's state (spec section 4). */
import { statusOf, type WithdrawalState, type WithdrawalStatus } from '#lib/domain/withdrawals/withdrawal.ts'
import { withdrawalStatusTexts } from '#messages/withdrawals/status.ts'
import type { Tone } from '../tone.ts'

const WITHDRAWAL_TONES: Record<WithdrawalStatus, Tone> = { PENDING: 'gold', TX_CONFIRMED: 'green', CANCELLED: 'grey' }

export function withdrawalLabel(state: WithdrawalState): { label: string; tone: Tone } {
  return { label: withdrawalStatusTexts[state], tone: WITHDRAWAL_TONES[statusOf(state)] }
}
