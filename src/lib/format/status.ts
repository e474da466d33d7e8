/** Labels and colours of states (spec section 4). */
import type { DepositNote, DepositStatus } from '#lib/domain/deposits/deposit.ts'
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { depositNoteTexts } from '#messages/deposits/notes.ts'
import { depositStatusTexts } from '#messages/deposits/status.ts'
import { orderStatusTexts } from '#messages/orders/orderStatus.ts'
import { unfitTexts } from '#messages/payments/unfit.ts'

export type Tone = 'gold' | 'blue' | 'green' | 'grey'

const ORDER_LABELS: Record<number, { label: string; tone: Tone }> = {
  [ORDER_STATUS.pending]: { label: orderStatusTexts.pending, tone: 'gold' },
  [ORDER_STATUS.processing]: { label: orderStatusTexts.processing, tone: 'blue' },
  [ORDER_STATUS.completed]: { label: orderStatusTexts.completed, tone: 'green' }
}

const DEPOSIT_TONES: Record<DepositStatus, Tone> = { PENDING: 'gold', TX_CONFIRMED: 'blue', CREDITED: 'green' }

/** What a deposit says of itself: why it is not credited, where that is so; otherwise its status. */
export function depositLabel({ status, note }: { status: DepositStatus; note: DepositNote | null }): {
  label: string
  tone: Tone
} {
  if (note) return { label: depositNoteTexts[note].label, tone: 'grey' }
  return { label: depositStatusTexts[status], tone: DEPOSIT_TONES[status] }
}

type LabelledOrder = { status: number; cancelledAt: string | null; unfitPayment: unknown }

/** What an order says of itself: a payment that does not fit comes first, then whether it was cancelled, then its status. */
export function orderLabel({ status, cancelledAt, unfitPayment }: LabelledOrder): { label: string; tone: Tone } {
  if (unfitPayment) return { label: unfitTexts.status, tone: 'gold' }
  if (cancelledAt && status === ORDER_STATUS.pending) return { label: orderStatusTexts.cancelled, tone: 'grey' }
  return orderStatusLabel(status)
}

export function orderStatusLabel(status: number): { label: string; tone: Tone } {
  return ORDER_LABELS[status] ?? { label: orderStatusTexts.unknown, tone: 'grey' }
}
