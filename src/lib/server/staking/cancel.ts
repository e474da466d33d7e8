/** An operator cancels the open payouts of a stake, e.g. because the payment of its order was taken back. What was paid stays paid. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { customerAccount, house, post } from '../ledger/index.ts'
import { setPayoutsEnded } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact } from '../platform/transaction.ts'
import { payouts } from './schema.ts'

/** Cancels the open payouts of an order, and returns how many. The staked or locked tokens stay where they are until `reclaimTokens`. */
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

/** What an order still holds: `open` payouts, and the tokens that are staked or locked for it. Undefined if it holds none. */
export async function heldPayouts(
  db: Executor,
  orderId: string
): Promise<{ currency: string; units: bigint; open: number } | undefined> {
  const rows = await db
    .select()
    .from(payouts)
    .where(and(eq(payouts.orderId, orderId), isNull(payouts.paidAt)))
  const held = rows.filter(({ kind }) => kind !== 'reward')
  const [first] = held
  return (
    first && {
      currency: first.currency,
      units: held.reduce((sum, { units }) => sum + units, 0n),
      open: rows.filter(({ cancelledAt }) => !cancelledAt).length
    }
  )
}

const HELD_IN = { principal: 'staked', bonus: 'locked' } as const

/**
 * Books the tokens whose return was cancelled from the customer's `staked` or `locked` to the treasury, once. Returns how many; undefined
 * if none were cancelled. What was returned or released before stays the customer's. Throws AlreadyBookedError the second time.
 */
export function reclaimTokens(
  context: Context,
  { orderId, actor, why }: { orderId: string; actor: Actor; why: string }
): Promise<{ currency: string; units: bigint } | undefined> {
  return transact(context, async ({ tx, now }) => {
    const rows = await tx
      .select()
      .from(payouts)
      .where(and(eq(payouts.orderId, orderId), inArray(payouts.kind, ['principal', 'bonus']), isNotNull(payouts.cancelledAt)))
    const [first] = rows
    if (!first || first.kind === 'reward') return undefined
    const units = rows.reduce((sum, payout) => sum + payout.units, 0n)
    const { userId, currency } = first
    await post(tx, {
      reason: 'adjustment',
      source: { type: 'order', id: orderId },
      reference: `stake-taken-back:${orderId}`,
      actor,
      transfers: [
        { source: customerAccount(userId, HELD_IN[first.kind]), destination: house('treasury'), currency, amount: units }
      ],
      at: now
    })
    context.log.warn(
      { order: orderId, by: actorText(actor), why, units: String(units), currency },
      'the tokens of a stake were taken back'
    )
    return { currency, units }
  })
}
