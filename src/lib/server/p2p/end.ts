/**
 * Ends an order that is not sold: by its owner, when its time is over, when its seller may not trade any more, or by "this wasn't me".
 * What is frozen goes back to funding.
 */
import { and, asc, eq } from 'drizzle-orm'
import type { P2pEnd } from '#lib/domain/p2p/order.ts'
import { collectDebts, lockDebts } from '../deposits/index.ts'
import { customerAccount, post } from '../ledger/index.ts'
import { type Actor, type Customer, customerActor, systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { transact, type Work } from '../platform/transaction.ts'
import { announceChange } from './announce.ts'
import { lockOrder } from './fill.ts'
import { tellEnded } from './mails.ts'
import { isOpenOrder, type P2pOrderRow, p2pOrders } from './schema.ts'

/** Ends an open order; false if it is over already. */
export async function endOrder(context: Context, work: Work, id: string, made: { end: P2pEnd; actor: Actor }): Promise<boolean> {
  const order = await lockOrder(work.tx, id)
  if (order?.status !== 'PENDING') return false
  const ended = { status: 'CANCELLED' as const, end: made.end, cancelledAt: work.now }
  await work.tx.update(p2pOrders).set(ended).where(eq(p2pOrders.id, id))
  const { makerId: userId, assetCurrency: currency } = order
  const debts = await lockDebts(work, userId, currency)
  await giveBack(work, order, made.actor)
  await collectDebts(work, debts, { userId, currency })
  await announceChange(work)
  await tellEnded(context, work, { ...order, ...ended })
  return true
}

async function giveBack({ tx, now }: Work, order: P2pOrderRow, actor: Actor): Promise<void> {
  const { id, makerId, assetCurrency: currency } = order
  const [source, destination] = [customerAccount(makerId, 'frozen'), customerAccount(makerId, 'funding')]
  await post(tx, {
    reason: 'p2p_cancelled',
    source: { type: 'p2p_order', id },
    reference: `p2p:${id}:back`,
    actor,
    transfers: [{ source, destination, currency, amount: order.listedAmount - order.filledAmount }],
    at: now
  })
}

/** Throws `p2p_order_not_found`, also for another customer's order, and `p2p_order_over`. */
export async function cancelOrder(context: Context, customer: Customer, id: string): Promise<void> {
  await transact(context, async (work) => {
    const [own] = await work.tx
      .select({ id: p2pOrders.id })
      .from(p2pOrders)
      .where(and(eq(p2pOrders.id, id), eq(p2pOrders.makerId, customer.userId)))
    if (!own) throw new AppError('p2p_order_not_found')
    const isEnded = await endOrder(context, work, id, { end: 'owner', actor: customerActor(customer) })
    if (!isEnded) throw new AppError('p2p_order_over')
  })
}

/**
 * Locks all open orders of a customer whose account somebody else may have used, and returns their ids. The caller has locked the
 * customer's row.
 */
export async function lockOrdersOf({ tx }: Work, userId: string): Promise<string[]> {
  const open = await tx
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .where(and(eq(p2pOrders.makerId, userId), isOpenOrder))
    .orderBy(asc(p2pOrders.id))
    .for('update')
  return open.map(({ id }) => id)
}

/** Cancels these orders. */
export async function endOrders(context: Context, work: Work, ids: string[]): Promise<void> {
  for (const id of ids) await endOrder(context, work, id, { end: 'secured', actor: systemActor('access') })
}
