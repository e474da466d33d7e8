/** Labels and colours of an order's states (spec section 4). */
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { orderStatusTexts } from '#messages/orders/orderStatus.ts'
import { unfitTexts } from '#messages/payments/unfit.ts'
import type { Tone } from '../tone.ts'

const ORDER_LABELS: Record<number, { label: string; tone: Tone }> = {
  [ORDER_STATUS.pending]: { label: orderStatusTexts.pending, tone: 'gold' },
  [ORDER_STATUS.processing]: { label: orderStatusTexts.processing, tone: 'blue' },
  [ORDER_STATUS.completed]: { label: orderStatusTexts.completed, tone: 'green' }
}

type LabelledOrder = { status: number; cancelledAt: string | null; unfitPayment: unknown }

/** An order's label: first for a payment that does not fit, then for a cancellation, then its status. */
export function orderLabel({ status, cancelledAt, unfitPayment }: LabelledOrder): { label: string; tone: Tone } {
  if (unfitPayment) return { label: unfitTexts.status, tone: 'gold' }
  if (cancelledAt && status === ORDER_STATUS.pending) return { label: orderStatusTexts.cancelled, tone: 'grey' }
  return orderStatusLabel(status)
}

export function orderStatusLabel(status: number): { label: string; tone: Tone } {
  return ORDER_LABELS[status] ?? { label: orderStatusTexts.unknown, tone: 'grey' }
}
