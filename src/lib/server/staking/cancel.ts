/** An operator cancels the open payouts of a stake, e.g. because the payment of its order was taken back. What was paid stays paid. */
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { customerAccount, house, post } from '../ledger/index.ts'
import { setPayoutsEnded } from '../orders/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { payouts } from './schema.ts'

type Decision = { orderId: string; actor: Actor; why: string }

/** Cancels the open payouts of an order, and returns how many. The staked or locked tokens stay where they are until `reclaimTokens`. */
export async function cancelPayouts(context: Context, decision: Decision): Promise<number> {
  const cancelled = await transact(context, (work) => cancelWithin(work, decision.orderId))
  logCancelled(context, decision, cancelled)
  return cancelled
}

async function cancelWithin({ tx, now }: Work, orderId: string): Promise<number> {
  const rows = await tx
    .update(payouts)
    .set({ cancelledAt: now })
    .where(and(eq(payouts.orderId, orderId), isNull(payouts.paidAt), isNull(payouts.cancelledAt)))
    .returning({ number: payouts.number })
  if (rows.length > 0) await setPayoutsEnded(tx, orderId, now)
  return rows.length
}

function logCancelled({ log }: Context, { orderId, actor, why }: Decision, cancelled: number): void {
  log.warn({ order: orderId, by: actorText(actor), why, payouts: cancelled }, 'the payouts of a stake were cancelled')
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

export const takenBackReference = (orderId: string) => `stake-taken-back:${orderId}`

type Reclaimed = { currency: string; units: bigint }

/**
 * Books the tokens whose return was cancelled from the customer's `staked` or `locked` to the treasury, once. Returns how many; undefined
 * if none were cancelled. What was returned or released before stays the customer's. Throws AlreadyBookedError the second time.
 */
export async function reclaimTokens(context: Context, decision: Decision): Promise<Reclaimed | undefined> {
  const reclaimed = await transact(context, (work) => reclaimWithin(work, decision))
  logReclaimed(context, decision, reclaimed)
  return reclaimed
}

async function reclaimWithin({ tx, now }: Work, { orderId, actor }: Decision): Promise<Reclaimed | undefined> {
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
    reference: takenBackReference(orderId),
    actor,
    transfers: [
      { source: customerAccount(userId, HELD_IN[first.kind]), destination: house('treasury'), currency, amount: units }
    ],
    at: now
  })
  return { currency, units }
}

function logReclaimed({ log }: Context, { orderId, actor, why }: Decision, reclaimed: Reclaimed | undefined): void {
  if (!reclaimed) return
  const { units, currency } = reclaimed
  log.warn({ order: orderId, by: actorText(actor), why, units: String(units), currency }, 'the tokens of a stake were taken back')
}

/** Both in one transaction: nothing is paid any more, and what is held comes back to our stock. Throws where nothing is held. */
export async function endStake(context: Context, decision: Decision): Promise<void> {
  const { cancelled, reclaimed } = await transact(context, async (work) => {
    const count = await cancelWithin(work, decision.orderId)
    const taken = await reclaimWithin(work, decision)
    if (!taken) throw new Error(`Nothing of order ${decision.orderId} is staked or locked any more`)
    return { cancelled: count, reclaimed: taken }
  })
  logCancelled(context, decision, cancelled)
  logReclaimed(context, decision, reclaimed)
}
