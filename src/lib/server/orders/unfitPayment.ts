import { eq } from 'drizzle-orm'
import type { UnfitPayment } from '#lib/domain/orders/order.ts'
import type { Executor } from '../platform/db/client.ts'
import { orders } from './schema.ts'

/** Says at the order that a payment for it waits for a decision, or that none does. */
export async function setUnfitPayment(
  db: Executor,
  orderId: string,
  unfitPayment: UnfitPayment | null,
  now: Date
): Promise<void> {
  await db.update(orders).set({ unfitPayment, updatedAt: now }).where(eq(orders.id, orderId))
}
