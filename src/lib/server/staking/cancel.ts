/** An operator ends what a stake still pays, e.g. because the payment of its order was taken back. What was paid stays paid. */
import { and, eq, isNull } from 'drizzle-orm'
import { setPayoutsEnded } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { transact } from '../platform/transaction.ts'
import { payouts } from './schema.ts'

/** How many payouts were cancelled. The staked or locked tokens stay where they are until the operator books them. */
export async function cancelPayouts(
  context: Context,
  { orderId, actor, why }: { orderId: string; actor: Actor; why: string }
): Promise<number> {
  const cancelled = await transact(context, async ({ tx, now }) => {
    const rows = await tx
      .update(payouts)
      .set({ cancelledAt: now })
      .where(and(eq(payouts.orderId, orderId), isNull(payouts.paidAt), isNull(payouts.cancelledAt)))
      .returning({ number: payouts.number })
    if (rows.length > 0) await setPayoutsEnded(tx, orderId, now)
    return rows.length
  })
  context.log.warn({ order: orderId, by: actorText(actor), why, payouts: cancelled }, 'the payouts of a stake were cancelled')
  return cancelled
}
