/** Labels and colours of states (spec section 4). */
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'
import { orderStatusTexts } from '#lib/messages/en/orders/orderStatus.ts'

export type Tone = 'gold' | 'blue' | 'green' | 'grey'

const ORDER_LABELS: Record<number, { label: string; tone: Tone }> = {
  [ORDER_STATUS.pending]: { label: orderStatusTexts.pending, tone: 'gold' },
  [ORDER_STATUS.processing]: { label: orderStatusTexts.processing, tone: 'blue' },
  [ORDER_STATUS.completed]: { label: orderStatusTexts.completed, tone: 'green' }
}

export function orderStatusLabel(status: number): { label: string; tone: Tone } {
  return ORDER_LABELS[status] ?? { label: orderStatusTexts.unknown, tone: 'grey' }
}
