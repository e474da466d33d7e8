/** Lets a chain send again, as two persons decide at the desk. */
import type { Chain } from '#lib/domain/chains/chains.ts'
import { endStop, openStops } from '#lib/server/chains/index.ts'
import type { Actor } from '#lib/server/platform/actor.ts'
import type { Context } from '#lib/server/platform/context.ts'
import { transact } from '#lib/server/platform/transaction.ts'

/** Ends the stops of sending up to this one, or all; returns them. */
export function resumeSending(context: Context, chain: Chain, by: { actor: Actor; why: string }, upTo?: bigint) {
  return transact(context, async (work) => {
    const stops = (await openStops(work.tx, chain, 'sending')).filter(({ id }) => upTo === undefined || id <= upTo)
    if (stops.length > 0) await endStop(work, chain, by, 'sending', upTo)
    return stops
  })
}
