/**
 * Ends orders whose time is over, and those of sellers who may not trade at the moment. A day before its end, the seller gets a mail
 * about an order.
 */
import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import { NOTICE_BEFORE_MS, type P2pEnd } from '#lib/domain/p2p/order.ts'
import { heldAmong } from '../access/index.ts'
import { unverifiedAmong } from '../identity/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { anyOf } from '../platform/db/columns.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { transact } from '../platform/transaction.ts'
import { endOrder } from './end.ts'
import { lockOrder } from './fill.ts'
import { tellEnding, tellTradedJob } from './mails.ts'
import { isOpenOrder, p2pOrders } from './schema.ts'

const EVERY_SECONDS = 60
/** Larger than any customer's open orders, so that failing orders never fill a whole batch. */
const AT_ONCE = 500

/** Runs `act` for each order; one that fails does not hold up the others. Returns the last failure. */
async function eachAlone(context: Context, ids: { id: string }[], act: (id: string) => Promise<unknown>): Promise<unknown> {
  let failed: unknown
  for (const { id } of ids)
    await act(id).catch((error: unknown) => {
      context.log.error({ order: id, err: error }, 'a P2P order could not be tended')
      failed = error
    })
  return failed
}

function endAll(context: Context, ids: { id: string }[], end: P2pEnd): Promise<unknown> {
  const actor = systemActor('p2p')
  return eachAlone(context, ids, (id) => transact(context, (work) => endOrder(context, work, id, { end, actor })))
}

async function endExpired(context: Context): Promise<unknown> {
  const due = await context.db
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .where(and(isOpenOrder, lte(p2pOrders.expiresAt, context.clock())))
    .orderBy(asc(p2pOrders.expiresAt))
    .limit(AT_ONCE)
  return endAll(context, due, 'expired')
}

async function endLapsed(context: Context): Promise<unknown> {
  const { db } = context
  const makers = (await db.selectDistinct({ id: p2pOrders.makerId }).from(p2pOrders).where(isOpenOrder)).map(({ id }) => id)
  const lapsed = [...(await unverifiedAmong(db, makers)), ...(await heldAmong(db, makers, context.clock()))]
  if (lapsed.length === 0) return undefined
  const theirs = await db
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .where(and(isOpenOrder, anyOf(p2pOrders.makerId, lapsed)))
    .limit(AT_ONCE)
  return endAll(context, theirs, 'lapsed')
}

async function noticeEnding(context: Context): Promise<unknown> {
  const soon = new Date(context.clock().getTime() + NOTICE_BEFORE_MS)
  const ending = await context.db
    .select({ id: p2pOrders.id })
    .from(p2pOrders)
    .where(and(isOpenOrder, isNull(p2pOrders.noticedAt), lte(p2pOrders.expiresAt, soon)))
    .orderBy(asc(p2pOrders.expiresAt))
    .limit(AT_ONCE)
  return eachAlone(context, ending, (id) =>
    transact(context, async (work) => {
      const order = await lockOrder(work.tx, id)
      if (order?.status !== 'PENDING' || order.noticedAt) return
      await work.tx.update(p2pOrders).set({ noticedAt: work.now }).where(eq(p2pOrders.id, id))
      await tellEnding(context, work, order)
    })
  )
}

/** Does all three, whichever fails: the job fails at the end, and is tried again. */
export async function tendOrders(context: Context): Promise<void> {
  const failed = [await endExpired(context), await endLapsed(context), await noticeEnding(context)].find(Boolean)
  if (failed) throw failed
}

export function p2pJobs(context: Context): JobKind[] {
  return [
    { name: 'p2p_orders', role: 'worker', everySeconds: EVERY_SECONDS, run: () => tendOrders(context) },
    tellTradedJob(context)
  ]
}
