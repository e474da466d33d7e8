import { eq } from 'drizzle-orm'
import type { Executor } from '../platform/db/client.ts'
import { orders } from './schema.ts'

/** Marks an order whose stake or bonus pays nothing more. */
export async function setPayoutsEnded(db: Executor, orderId: string, now: Date): Promise<void> {
  await db.update(orders).set({ payoutsEndedAt: now, updatedAt: now }).where(eq(orders.id, orderId))
}
