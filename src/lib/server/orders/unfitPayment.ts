import { eq } from 'drizzle-orm'
import type { UnfitPayment } from '#lib/domain/orders/order.ts'
import type { Executor } from '../platform/db/client.ts'
import { orders } from './schema.ts'

/** Stores with the order the payment that waits for a decision, or that there is none. */
export async function setUnfitPayment(
  db: Executor,
  orderId: string,
  unfitPayment: UnfitPayment | null,
  now: Date
): Promise<void> {
  await db.update(orders).set({ unfitPayment, updatedAt: now }).where(eq(orders.id, orderId))
}
