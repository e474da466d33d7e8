/** A chain that is stopped is not read on, until somebody has looked at it and lets it go on. */
import { and, eq, isNull } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { chainStops } from './schema.ts'

const open = (chain: Chain) => and(eq(chainStops.chain, chain), isNull(chainStops.resumedAt))

export async function findStop(db: Executor, chain: Chain): Promise<typeof chainStops.$inferSelect | undefined> {
  const [stop] = await db.select().from(chainStops).where(open(chain)).limit(1)
  return stop
}

type By = { actor: Actor; why: string }

/** Stops a chain and raises an alarm: an error in the log. A chain that is stopped already stays so for its first reason. */
export async function stopChain({ db, clock, log }: Context, chain: Chain, { actor, why }: By): Promise<void> {
  if (await findStop(db, chain)) return
  await db.insert(chainStops).values({ chain, why, actor: actorText(actor), stoppedAt: clock() })
  log.error({ chain, why }, 'a chain is stopped')
}

export async function endStop({ tx, now }: Work, chain: Chain, { actor, why }: By): Promise<void> {
  await tx
    .update(chainStops)
    .set({ resumedAt: now, resumedBy: actorText(actor), resumedWhy: why })
    .where(open(chain))
}
