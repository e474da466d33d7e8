/** An operator ends what a stake still pays, e.g. because the payment of its order was taken back. What was paid stays paid. */
import { and, eq, isNull } from 'drizzle-orm'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { payouts } from './schema.ts'

/** How many payouts were cancelled. The staked tokens stay in `staked` until the operator books them. */
export async function cancelPayouts(
  { db, clock, log }: Context,
  { orderId, actor, why }: { orderId: string; actor: Actor; why: string }
): Promise<number> {
  const cancelled = await db
    .update(payouts)
    .set({ cancelledAt: clock() })
    .where(and(eq(payouts.orderId, orderId), isNull(payouts.paidAt), isNull(payouts.cancelledAt)))
    .returning({ number: payouts.number })
  log.warn({ order: orderId, by: actorText(actor), why, payouts: cancelled.length }, 'the payouts of a stake were cancelled')
  return cancelled.length
}
