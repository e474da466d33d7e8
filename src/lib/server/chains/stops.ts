/**
 * Stops of a chain: its blocks are not read, or no coins are sent on it, until an operator resumes it. Nothing is sent on a chain that is
 * not read, either.
 */
import { and, asc, eq, isNull, lte } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { chainStops, type StopKind } from './schema.ts'

const open = (chain: Chain, kind: StopKind) =>
  and(eq(chainStops.chain, chain), eq(chainStops.kind, kind), isNull(chainStops.resumedAt))

type Stop = typeof chainStops.$inferSelect

/** All open stops, the first one first. `isLocked`: nobody ends them before the transaction does. */
export async function openStops(db: Executor, chain: Chain, kind: StopKind, isLocked = false): Promise<Stop[]> {
  const query = db.select().from(chainStops).where(open(chain, kind)).orderBy(asc(chainStops.id))
  return isLocked ? query.for('update') : query
}

export async function findStop(db: Executor, chain: Chain, kind: StopKind = 'reading'): Promise<Stop | undefined> {
  return (await openStops(db, chain, kind))[0]
}

/** True if a stop was ended with this reason. */
export async function wasResumed(db: Executor, chain: Chain, kind: StopKind, why: string): Promise<boolean> {
  const isIt = and(eq(chainStops.chain, chain), eq(chainStops.kind, kind), eq(chainStops.resumedWhy, why))
  return (await db.select({ id: chainStops.id }).from(chainStops).where(isIt).limit(1)).length > 0
}

/** True if our own checks of the chain or the coins stopped sending, and not only an operator. */
export async function isSuspicious(db: Executor, chain: Chain): Promise<boolean> {
  return (await openStops(db, chain, 'sending')).some(({ actor }) => actor.startsWith('system:'))
}

type By = { actor: Actor; why: string }
type Parts = Pick<Context, 'log'> & { db: Executor; now: Date }

/** Runs in the caller's transaction. A second reason is kept beside the first; the same reason again changes nothing. */
export async function stopWithin({ db, log, now }: Parts, chain: Chain, kind: StopKind, { actor, why }: By): Promise<void> {
  const known = await openStops(db, chain, kind)
  if (known.some((stop) => stop.why === why && stop.actor === actorText(actor))) return
  await db.insert(chainStops).values({ chain, kind, why, actor: actorText(actor), stoppedAt: now })
  log.error({ chain, kind, why }, 'a chain is stopped')
}

/** Stops a chain and raises an alarm: an error in the log. */
export async function stopChain({ db, clock, log }: Context, chain: Chain, by: By, kind: StopKind = 'reading'): Promise<void> {
  await stopWithin({ db, log, now: clock() }, chain, kind, by)
}

export async function endStop(
  { tx, now }: Work,
  chain: Chain,
  { actor, why }: By,
  kind: StopKind = 'reading',
  upTo?: bigint
): Promise<void> {
  await tx
    .update(chainStops)
    .set({ resumedAt: now, resumedBy: actorText(actor), resumedWhy: why })
    .where(and(open(chain, kind), upTo === undefined ? undefined : lte(chainStops.id, upTo)))
}
