/**
 * What an operator orders about a payment that is stuck: to pay a higher network fee, or to take its place so that it can no longer be paid.
 * Each order is signed by the operator's own key; the signer carries out none that is not.
 */
import { desc, eq } from 'drizzle-orm'
import { type Actor, actorText } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/client.ts'
import { type OperatorKey, operatorAmong, type PrivateKey } from '../../platform/ed25519.ts'
import { transact } from '../../platform/transaction.ts'
import { type ChainOrderKind, chainOrders, chainSends, type SendPurpose } from '../schema.ts'

export type SendOrder = { sendId: string; kind: ChainOrderKind; mostFee: bigint }

function orderText({ sendId, kind, mostFee }: SendOrder): Buffer {
  return Buffer.from(JSON.stringify(['payment order', 1, kind, sendId, mostFee.toString()]))
}

/** False if there is no such payment under way, or if its chain cannot do this: a CPC payment expires by itself. */
export function orderSend(
  context: Context,
  order: SendOrder,
  { key, actor, why }: { key: PrivateKey; actor: Actor; why: string }
): Promise<boolean> {
  return transact(context, async ({ tx, now }) => {
    const [send] = await tx.select().from(chainSends).where(eq(chainSends.id, order.sendId)).for('update')
    if (send?.state !== 'signed' || NOT_OURS.includes(send.purpose) || send.chain === 'cpc') return false
    await tx
      .insert(chainOrders)
      .values({ ...order, signature: key.sign(orderText(order)), actor: actorText(actor), why, orderedAt: now })
    return true
  })
}

/** The newest order about a payment that an operator of the signer's list has signed. */
export async function orderOf(
  db: Executor,
  keys: OperatorKey[],
  sendId: string
): Promise<(SendOrder & { orderedAt: Date }) | undefined> {
  const orders = await db
    .select()
    .from(chainOrders)
    .where(eq(chainOrders.sendId, sendId))
    .orderBy(desc(chainOrders.id))
    .limit(MOST_ORDERS)
  return orders.find((order) => operatorAmong(keys, orderText(order), [order.signature]) !== undefined)
}

/** The signer has not signed these, or knows nothing of them. */
const NOT_OURS: SendPurpose[] = ['lost', 'refill']

/** Orders of one payment that are looked at, so that rows made up in the database do not keep the signer busy. */
const MOST_ORDERS = 20
