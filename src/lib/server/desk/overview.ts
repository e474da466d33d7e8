/** What needs a person now, whether everything is healthy, and whether the money agrees. */
import type { DeskAnswer } from '#lib/contract/desk/shapes.ts'
import { CHAINS, chainOf, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { screeningStateOf } from '#lib/domain/screening/verdict.ts'
import { RULES, type Rule } from '#lib/domain/staff/rules.ts'
import { openStops } from '../chains/index.ts'
import { waitingCases } from '../help/index.ts'
import { coverOf, houseBalance } from '../ledger/index.ts'
import { bankDays, refundsToFile, suspenseSum } from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { lastBeats } from '../platform/heartbeat.ts'
import { listState, openHits } from '../screening/index.ts'
import { hasOverride, listStaff, openProposals, type Staff } from '../staff/index.ts'
import { custodyBeat, lastCustody, limitRequestsWaiting, waitingSum } from '../withdrawals/index.ts'
import { shownStop } from './present.ts'
import type { DeskSettings } from './settings.ts'

/** Coins and books are compared every few minutes; a comparison older than this proves nothing. */
const UNVERIFIED_AFTER_MS = 30 * 60_000

export async function stopsOfChains(context: Context) {
  return Promise.all(
    CHAINS.map(async (chain) => ({
      chain,
      stops: (await openStops(context.db, chain, 'sending')).map(shownStop)
    }))
  )
}

type Books = DeskAnswer<'getOverview'>['books']
const BANK_OLD_MS = 96 * 3_600_000

/** What is owed in euro: payments that fit no order, and refunds. Compared with the bank by the newest statement. */
async function eurosOf({ db, clock }: Context): Promise<Books[number]> {
  const [suspense, refunds, bank, [newest]] = await Promise.all([
    houseBalance(db, 'suspense', 'EUR'),
    houseBalance(db, 'refunds', 'EUR'),
    houseBalance(db, 'bank', 'EUR'),
    bankDays(db)
  ])
  const comparedAt = newest ? new Date(Date.parse(`${newest.day}T00:00:00Z`) + 86_400_000) : undefined
  const isOld = !comparedAt || clock().getTime() - comparedAt.getTime() > BANK_OLD_MS
  const held = bank < 0n ? -bank : 0n
  const isShort = newest?.isEqual === false || suspense + refunds > held
  return {
    currency: 'EUR',
    claims: (suspense + refunds).toString(),
    coins: held.toString(),
    owed: '0',
    chain: newest ? newest.closingCents.toString() : null,
    difference: newest ? (newest.closingCents - newest.booksCents).toString() : null,
    state: isOld ? 'unverified' : isShort ? 'short' : 'equal',
    comparedAt: comparedAt?.toISOString() ?? null
  }
}

/** The parts of the product, each by the rules that watch it; several of one part count as the worst of them. */
const PARTS: Record<string, string[]> = {
  Signer: ['role:signer'],
  Worker: ['role:worker'],
  Books: ['ledger'],
  Coins: ['custody:bitcoin', 'custody:ethereum', 'custody:cpc'],
  Prices: ['prices_old'],
  Jobs: ['jobs_failed'],
  Mail: ['mails_waiting'],
  Bank: ['bank_late']
}
type Ran = Awaited<ReturnType<DeskSettings['rules']>>

function healthOf(ran: Ran): DeskAnswer<'getOverview'>['health'] {
  return Object.entries(PARTS).map(([part, names]) => {
    const own = ran.filter(({ name }) => names.includes(name))
    const worst = own.find(({ state }) => state === 'raised') ?? own.find(({ state }) => state === 'unknown') ?? own[0]
    const { state = 'unknown' as const, shown, shownLimit } = worst ?? {}
    return {
      part,
      state,
      shown: state === 'unknown' ? null : (shown ?? null),
      shownLimit: state === 'unknown' ? null : (shownLimit ?? null)
    }
  })
}

/** Euro first, then each token. */
export async function booksOf(context: Context): Promise<Books> {
  return [await eurosOf(context), ...(await coinsOf(context))]
}

async function coinsOf({ db, clock }: Context): Promise<Books> {
  const [beats, lines] = await Promise.all([lastBeats(db, CHAINS.map(custodyBeat)), lastCustody(db)])
  return Promise.all(
    DEPOSITABLE.map(async (currency) => {
      const { claims, coins, owed } = await coverOf(db, currency)
      const found = lines.get(currency)
      const comparedAt = beats.get(custodyBeat(chainOf(currency)))
      const isShort = claims > coins + owed || (found !== undefined && found.onChain !== found.expected)
      const isOld = !comparedAt || clock().getTime() - comparedAt.getTime() > UNVERIFIED_AFTER_MS
      const hasMoved = found !== undefined && found.expected !== coins
      return {
        currency,
        claims: claims.toString(),
        coins: (coins > 0n ? coins : 0n).toString(),
        owed: owed.toString(),
        chain: found ? found.onChain.toString() : null,
        difference: found ? (found.onChain - found.expected).toString() : null,
        state: isOld
          ? ('unverified' as const)
          : isShort
            ? ('short' as const)
            : hasMoved
              ? ('moved' as const)
              : ('equal' as const),
        comparedAt: comparedAt?.toISOString() ?? null
      }
    })
  )
}

/** What is open for this person, and since when. */
export async function queuesOf(context: Context, staff: Staff): Promise<DeskAnswer<'getQueues'>> {
  const [waiting, open, apart, owed, hits, cases, limits] = await Promise.all([
    waitingSum(context.db),
    openProposals(context, staff.rights),
    suspenseSum(context.db),
    refundsToFile(context.db),
    openHits(context.db),
    waitingCases(context),
    limitRequestsWaiting(context.db)
  ])
  const plain = (queue: string, { count, oldestAt }: { count: number; oldestAt: Date | null }) => ({
    queue,
    count,
    usdCents: null,
    eurCents: null,
    oldestAt: oldestAt?.toISOString() ?? null
  })
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
    ...(staff.rights.includes('see_hits') ? [plain('hits', hits)] : []),
    plain('limits', limits),
    ...(staff.rights.includes('see_cases') ? [plain('cases', cases)] : []),
    plain('proposals', open)
  ]
}

export async function overviewOf(
  context: Context,
  { faults, rules }: Pick<DeskSettings, 'faults' | 'rules'>,
  staff: Staff
): Promise<DeskAnswer<'getOverview'>> {
  const [queues, found, ran, people, chains, books, isMigrateInvitation, list] = await Promise.all([
    queuesOf(context, staff),
    faults(),
    rules(),
    listStaff(context.db),
    stopsOfChains(context),
    booksOf(context),
    hasOverride(context),
    listState(context.db)
  ])
  return {
    queues,
    faults: found.map(({ name, says, since, shown, shownLimit, takenBy }) => ({
      name,
      says,
      shown,
      shownLimit,
      since: since.toISOString(),
      takenBy: takenBy && (people.find(({ id }) => takenBy === `staff:${id}`)?.name ?? takenBy),
      isBad: (RULES as Record<string, Rule>)[name.split(':')[0] ?? '']?.isBad ?? true
    })),
    rules: {
      quiet: ran.filter(({ state }) => state === 'quiet').length,
      raised: ran.filter(({ state }) => state === 'raised').length,
      unknown: ran.filter(({ state }) => state === 'unknown').length
    },
    health: healthOf(ran),
    onCall: people.filter(({ onCallSince, stoppedAt }) => onCallSince && !stoppedAt).map(({ name }) => name),
    chains,
    books,
    screening: {
      state: screeningStateOf(list, context.clock()),
      readAt: list?.readAt?.toISOString() ?? null,
      error: list?.error ?? null
    },
    isMigrateInvitation
  }
}
