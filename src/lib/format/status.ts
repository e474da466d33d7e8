/** Labels and colours of states (spec section 4). */
import { ORDER_STATUS } from '#lib/domain/orders/order.ts'

export type Tone = 'gold' | 'blue' | 'green' | 'grey'

const ORDER_LABELS: Record<number, { label: string; tone: Tone }> = {
  [ORDER_STATUS.pending]: { label: 'Pending', tone: 'gold' },
  [ORDER_STATUS.processing]: { label: 'Processing', tone: 'blue' },
  [ORDER_STATUS.completed]: { label: 'Completed', tone: 'green' }
}

export function orderStatusLabel(status: number): { label: string; tone: Tone } {
  return ORDER_LABELS[status] ?? { label: 'Unknown', tone: 'grey' }
}
