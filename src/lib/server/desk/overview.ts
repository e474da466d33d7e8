/** What needs a person now, whether everything is healthy, and whether the money agrees. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { CHAINS, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { openStops } from '../chains/index.ts'
import { coverOf } from '../ledger/index.ts'
import { refundsToFile, suspenseSum } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { lastBeats } from '../platform/heartbeat.ts'
import { hasOverride, openProposals, type Staff } from '../staff/index.ts'
import { custodyBeat, waitingSum } from '../withdrawals/index.ts'
import type { DeskSettings } from './settings.ts'

/** Coins and books are compared every few minutes; a comparison older than this proves nothing. */
const UNVERIFIED_AFTER_MS = 30 * 60_000

export async function stopsOfChains(context: Context) {
  return Promise.all(
    CHAINS.map(async (chain) => ({
      chain,
      stops: (await openStops(context.db, chain, 'sending')).map(({ id, why, actor, stoppedAt }) => ({
        id: String(id),
        why,
        actor,
        stoppedAt: stoppedAt.toISOString()
      }))
    }))
  )
}

async function booksOf({ db, clock }: Context): Promise<DeskAnswer<'getOverview'>['books']> {
  const beats = await lastBeats(db, CHAINS.map(custodyBeat))
  return Promise.all(
    DEPOSITABLE.map(async (currency) => {
      const { claims, coins, owed } = await coverOf(db, currency)
      const comparedAt = beats.get(custodyBeat(chainOf(currency)))
      const isOld = !comparedAt || clock().getTime() - comparedAt.getTime() > UNVERIFIED_AFTER_MS
      return {
        currency,
        claims: claims.toString(),
        coins: (coins > 0n ? coins : 0n).toString(),
        owed: owed.toString(),
        state: isOld ? ('unverified' as const) : claims > coins + owed ? ('short' as const) : ('equal' as const),
        comparedAt: comparedAt?.toISOString() ?? null
      }
    })
  )
}

/** What is open for this person, and since when. */
export async function queuesOf(context: Context, staff: Staff): Promise<DeskAnswer<'getQueues'>> {
  const [waiting, open, apart, owed] = await Promise.all([
    waitingSum(context.db),
    openProposals(context, staff.rights),
    suspenseSum(context.db),
    refundsToFile(context.db)
  ])
  const euros = (queue: string, { count, eurCents, oldestAt }: typeof apart) => ({
    queue,
    count,
    usdCents: null,
    eurCents: eurCents.toString(),
    oldestAt: oldestAt?.toISOString() ?? null
  })
  return [
    euros('payments', apart),
    euros('refunds', owed),
    {
      queue: 'withdrawals',
      count: waiting.count,
      usdCents: waiting.usdCents.toString(),
      eurCents: null,
      oldestAt: waiting.oldestAt?.toISOString() ?? null
    },
    { queue: 'proposals', count: open.count, usdCents: null, eurCents: null, oldestAt: open.oldestAt?.toISOString() ?? null }
  ]
}

export async function overviewOf(
  context: Context,
  { faults }: Pick<DeskSettings, 'faults'>,
  staff: Staff
): Promise<DeskAnswer<'getOverview'>> {
  const [queues, found, chains, books, isMigrateInvitation] = await Promise.all([
    queuesOf(context, staff),
    faults(),
    stopsOfChains(context),
    booksOf(context),
    hasOverride(context)
  ])
  return {
    queues,
    faults: found.map(({ since, ...fault }) => ({ ...fault, since: since?.toISOString() ?? null })),
    chains,
    books,
    isMigrateInvitation
  }
}
