/** Gives stuck payments a further attempt: with a higher fee if the chain allows it, or signed again after the first has expired. */
import { and, asc, desc, eq, notInArray } from 'drizzle-orm'
import type { Context } from '../../platform/context.ts'
import { isDatabaseLost } from '../../platform/db/faults.ts'
import { activeOperators } from '../../staff/index.ts'
import { NodeError } from '../port.ts'
import { isExpired, newestHeight, type SendRow, timeAt } from '../reading/watch.ts'
import { chainAttempts, chainSends } from '../schema.ts'
import { type Orderers, orderOf } from './orders.ts'
import { replaceSend } from './replacement.ts'
import { STUCK_SECONDS } from './send.ts'
import type { Signing } from './signing.ts'

const MOST_ATTEMPTS = 12

export async function replaceStuck(context: Context, signing: Signing): Promise<void> {
  const { db, log } = context
  const { chain } = signing.node
  const open = await db
    .select()
    .from(chainSends)
    .where(and(eq(chainSends.chain, chain), eq(chainSends.state, 'signed'), notInArray(chainSends.purpose, ['lost', 'refill'])))
    .orderBy(asc(chainSends.signedAt))
  if (open.length === 0) return
  const orderers = await orderersOf(context, signing)
  for (const send of open) {
    await replaceOne(context, signing, orderers, send).catch((error: unknown) => {
      const line = { chain, send: send.id, err: error }
      if (error instanceof NodeError) log.warn(line, 'a payment that is stuck could not be looked at')
      else log.error(line, 'a payment that is stuck cannot be replaced')
    })
  }
}

/** While the list of passkeys cannot be read, none of them has ordered anything. */
async function orderersOf({ db, clock, log }: Context, { operatorKeys, staffKeys, network, node }: Signing): Promise<Orderers> {
  const [now, newest] = [clock(), await node.newestTime?.()]
  const keys = await staffKeys().catch((error: unknown) => {
    if (isDatabaseLost(error)) throw error
    log.error({ err: error }, 'the list of staff keys cannot be read')
    return []
  })
  return {
    operatorKeys: await activeOperators(db, operatorKeys),
    staffKeys: keys,
    network,
    at: newest && newest > now ? newest : now
  }
}

async function replaceOne(context: Context, signing: Signing, orderers: Orderers, send: SendRow): Promise<void> {
  const { db, clock, log } = context
  const { chain } = send
  const attempts = await db.select().from(chainAttempts).where(eq(chainAttempts.sendId, send.id)).orderBy(desc(chainAttempts.id))
  const [last] = attempts
  const order = await orderOf(db, orderers, send.id, signing.journal.of(send.id)[0]?.mostFee ?? 0n)
  if (!last?.broadcastAt || (attempts.length >= MOST_ATTEMPTS && !order)) return
  if (attempts.some(({ height, conflictHeight }) => height !== null || conflictHeight !== null)) return
  const hasWaited =
    chain === 'cpc'
      ? isExpired(last, await timeAt(db, chain, (await newestHeight(db, chain)) - signing.confirmations.CPC + 1))
      : clock().getTime() - last.signedAt.getTime() > STUCK_SECONDS[chain] * 1000
  // An order is carried out at once, but once: after that the network gets the usual time before the price is raised again.
  const isNew = order !== undefined && attempts.every(({ signedAt }) => order.orderedAt >= signedAt)
  if (!hasWaited && !isNew) return
  const outcome = await replaceSend(context, signing, send, order)
  log.warn({ chain, send: send.id, attempts: attempts.length, outcome }, 'a payment is stuck')
}
