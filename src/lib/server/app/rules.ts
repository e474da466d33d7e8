/** What each rule of the monitor measures. A rule that fails is unknown; what never began, e.g. a chain that was never read, is not measured. */
import { CHAINS, type ChainToken, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { hotStateOf } from '#lib/domain/chains/cold.ts'
import { RIGHT_NAMES } from '#lib/domain/staff/rights.ts'
import { isRaised, limitAt, RULE_NAMES, RULES, type Rule, type RuleName } from '#lib/domain/staff/rules.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { formatSetting } from '#lib/format/staff/setting.ts'
import { findStop, lastBlockAt, openStops } from '../chains/index.ts'
import { waitingCases } from '../help/index.ts'
import { coverOf, houseBalance } from '../ledger/index.ts'
import {
  faultyFiles,
  instructionAge,
  overduePayments,
  statementAge,
  suspenseCents,
  unconfirmedRefunds,
  unequalDays,
  unfiledRefunds
} from '../payments/index.ts'
import type { Context } from '../platform/context.ts'
import { lastBeats } from '../platform/heartbeat.ts'
import { failingJobs, jobTroubles } from '../platform/jobs/read.ts'
import { describeError } from '../platform/log.ts'
import { acceptedAt, openDoubts } from '../rates/index.ts'
import { listState, openHits } from '../screening/index.ts'
import { deskSettings, openProposals, unsignedSince } from '../staff/index.ts'
import { rewardsDueBy } from '../staking/index.ts'
import {
  COLD_TIMES,
  countWaiting,
  custodyBeat,
  lastCustody,
  limitRequestsWaiting,
  openAmount,
  reviewAges,
  stuckAges
} from '../withdrawals/index.ts'
import { daily } from './daily.ts'

/** `owedMost`: by token, by how many smallest units customers may have more than there are coins. */
export type OwedMost = Record<ChainToken, bigint>

/** `label`: of what, where a rule measures several. `limit`: of this one alone. `says`: instead of the rule's own sentence. */
type Measured = { label?: string; value: bigint | undefined; limit?: bigint; says?: string; shown?: string; shownLimit?: string }
type At = Pick<Context, 'db' | 'clock'> & { now: Date; owedMost: OwedMost }

/** `name`: stays the same for as long as it lasts. */
export type Ran = {
  name: string
  rule: RuleName
  state: 'quiet' | 'raised' | 'unknown'
  says: string
  shown: string
  shownLimit: string
  isBad: boolean
}

const MINUTE_MS = 60_000
/** Six times the usual interval between blocks. */
const SILENT_SECONDS = { bitcoin: 3600n, ethereum: 72n, cpc: 360n }
const ROLES = ['worker', 'signer'] as const
/** Of what was never read. */
const NEVER_SECONDS = 365n * 86_400n
const AHEAD_DAYS = 100
const DAY_MS = 86_400_000

const secondsSince = (since: Date, now: Date) => BigInt(Math.floor((now.getTime() - since.getTime()) / 1000))
const minutes = (since: Date, now: Date) => `${Math.floor((now.getTime() - since.getTime()) / MINUTE_MS)} minutes`
const one = (value: bigint | undefined): Measured[] => (value === undefined ? [] : [{ value }])
/** A list of what is wrong: none is quiet. */
const noneIs = (value: bigint, found: Measured[]): Measured[] => (found.length > 0 ? found : [{ value }])

const MEASURES: Record<RuleName, (at: At) => Promise<Measured[]>> = {
  role: async ({ db, now }) => {
    const beats = await lastBeats(
      db,
      ROLES.map((role) => `role:${role}`)
    )
    return ROLES.flatMap((role) => {
      const at = beats.get(`role:${role}`)
      return at
        ? [{ label: role, value: secondsSince(at, now), says: `no ${role} has been at work for ${minutes(at, now)}` }]
        : []
    })
  },
  blocks: async ({ db, now }) => {
    const measured: Measured[] = []
    for (const chain of CHAINS) {
      const at = (await findStop(db, chain)) ? undefined : await lastBlockAt(db, chain)
      const says = at && `${chain}: the node has shown no new block for ${minutes(at, now)}`
      if (at) measured.push({ label: chain, value: secondsSince(at, now), limit: SILENT_SECONDS[chain], ...(says && { says }) })
    }
    return measured
  },
  custody: async ({ db, now }) => {
    const beats = await lastBeats(db, CHAINS.map(custodyBeat))
    const measured: Measured[] = []
    for (const chain of CHAINS) {
      const at = (await findStop(db, chain)) ? undefined : beats.get(custodyBeat(chain))
      if (at)
        measured.push({
          label: chain,
          value: secondsSince(at, now),
          says: `${chain}: coins and books could not be compared for ${minutes(at, now)}`
        })
    }
    return measured
  },
  halted: async ({ db }) => {
    const measured: Measured[] = []
    for (const chain of CHAINS) {
      const stops = await openStops(db, chain, 'sending')
      measured.push({
        label: chain,
        value: BigInt(stops.length),
        ...(stops[0] && { says: `${chain}: sending is stopped: ${stops[0].why}` })
      })
    }
    return measured
  },
  ledger: (at) => daily(at, 'ledger'),
  audit: (at) => daily(at, 'audit'),
  cover: async ({ db, owedMost }) => {
    const measured: Measured[] = []
    for (const token of DEPOSITABLE) {
      const { claims, coins } = await coverOf(db, token)
      const shown = (units: bigint) => formatExactUnits(units, token)
      measured.push({
        label: token,
        value: claims - coins,
        limit: owedMost[token],
        says: `customers have ${shown(claims)} ${token} and there are ${shown(coins)}: ${shown(owedMost[token])} may be owed, and nothing is signed above it`,
        shown: `${shown(claims - coins)} ${token}`,
        shownLimit: `${shown(owedMost[token])} ${token}`
      })
    }
    return measured
  },
  fees: async ({ db }) => {
    const measured: Measured[] = []
    for (const token of DEPOSITABLE) {
      const fees = await houseBalance(db, 'fees', token)
      const shown = `${formatExactUnits(fees, token)} ${token}`
      measured.push({
        label: token,
        value: fees < 0n ? 1n : 0n,
        says: `the fund of fees is below zero: ${shown}`,
        shown,
        shownLimit: `0 ${token}`
      })
    }
    return measured
  },
  price: async ({ db }) =>
    noneIs(
      0n,
      (await openDoubts(db)).map(({ currency, priceUsd }) => ({
        label: currency,
        value: 1n,
        says: `the price of ${currency}, $${priceUsd}, is in doubt: npm run prices -- list`,
        shown: `$${priceUsd}`,
        shownLimit: '–'
      }))
    ),
  prices_old: async ({ db, now }) =>
    (await acceptedAt(db)).map(({ currency, at }) => ({ label: currency, value: secondsSince(at, now) })),
  job: async ({ db }) =>
    noneIs(
      0n,
      (await failingJobs(db)).map(({ kind, tries, lastError }) => ({
        label: kind,
        value: BigInt(tries),
        says: `the job ${kind} has failed ${tries} times in a row: ${lastError}`
      }))
    ),
  jobs_failed: async ({ db, now }) => one((await jobTroubles(db, now)).failed),
  mails_waiting: async ({ db, now }) => one((await jobTroubles(db, now)).mailSeconds),
  audit_head: async ({ db, now }) => {
    const at = await unsignedSince(db)
    const says = at && `the signer has signed nothing of the staff's audit log for ${minutes(at, now)}`
    return [{ value: at ? secondsSince(at, now) : 0n, ...(says && { says }) }]
  },
  suspense_overdue: async ({ db, now }) => one(await overduePayments(db, now)),
  suspense_sum: async ({ db }) => one(await suspenseCents(db)),
  refunds_unfiled: async ({ db, now }) => one(await unfiledRefunds(db, now)),
  refunds_unconfirmed: async ({ db, now }) => one(await unconfirmedRefunds(db, now)),
  bank_day: async ({ db }) => one(await unequalDays(db)),
  bank_late: async ({ db, now }) => one(await statementAge(db, now)),
  bank_file: async ({ db, now }) => one(await faultyFiles(db, now)),
  instructions: async ({ db, now }) => one(await instructionAge(db, now)),
  withdrawals_overdue: async ({ db, now }) => one(BigInt((await reviewAges(db, now)).filter((age) => age > 86_400n).length)),
  withdrawals_due: async ({ db, now }) => one((await reviewAges(db, now))[0] ?? 0n),
  withdrawals_stuck: async ({ db, now }) =>
    noneIs(
      0n,
      (await stuckAges(db, now)).map(({ chain, seconds }) => ({ label: chain, value: seconds }))
    ),
  hot_wallet: async ({ db }) => one(await countWaiting(db, 'hot_wallet')),
  hot_band: async ({ db }) => {
    const measured: Measured[] = []
    for (const [token, { hot, floor, usdCents, ceilingCents }] of await lastCustody(db)) {
      const open = await openAmount(db, token)
      // The signer brings it down by itself: further above, something keeps it from that.
      const state = hotStateOf({ hot, open, floor }, usdCents ?? 0n, ceilingCents * COLD_TIMES)
      const least = floor > open ? floor : open
      measured.push({
        label: token,
        value: state === 'in_band' ? 0n : 1n,
        says: `the hot wallet of ${token} is too ${state}`,
        shown: `${formatExactUnits(hot, token)} ${token}`,
        shownLimit: state === 'high' ? formatSetting(ceilingCents, 'USD') : `${formatExactUnits(least, token)} ${token}`
      })
    }
    return measured
  },
  screening_open: async ({ db, now }) => {
    const { oldestAt } = await openHits(db)
    return one(oldestAt ? secondsSince(oldestAt, now) : 0n)
  },
  screening_old: async ({ db, now }) => {
    const list = await listState(db)
    if (!list) return []
    const says = list.error ? `the list of names cannot be read: ${list.error}` : undefined
    return [{ value: list.readAt ? secondsSince(list.readAt, now) : NEVER_SECONDS, ...(says && { says }) }]
  },
  cases_overdue: async (at) => {
    const { oldestAt } = await waitingCases(at)
    return one(oldestAt ? secondsSince(oldestAt, at.now) : 0n)
  },
  limits_overdue: async ({ db, now }) => {
    const { dueAt } = await limitRequestsWaiting(db)
    return one(dueAt && dueAt < now ? 1n : 0n)
  },
  signer_limit: async ({ db }) => one(await countWaiting(db, 'signer_limit')),
  fund: fundDays,
  proposals: async (at) => {
    const { oldestAt } = await openProposals(at, RIGHT_NAMES)
    return one(oldestAt ? secondsSince(oldestAt, at.now) : 0n)
  }
}

/** For how many days the fund pays what becomes due, at most those that are looked ahead. */
async function fundDays({ db, clock, now }: At): Promise<Measured[]> {
  const measured: Measured[] = []
  const due = await rewardsDueBy({ db, clock } as Context, new Date(now.getTime() + AHEAD_DAYS * DAY_MS))
  for (const { currency, units } of due) {
    const fund = await houseBalance(db, 'staking_rewards', currency)
    const days = fund >= units || units === 0n ? BigInt(AHEAD_DAYS) : (fund * BigInt(AHEAD_DAYS)) / units
    measured.push({ label: currency, value: days })
  }
  // Nothing is due: it pays for as long as is looked ahead.
  return noneIs(BigInt(AHEAD_DAYS), measured)
}

/** Runs every rule, each by itself: one that fails is unknown, and the others go on. */
export async function runRules({ db, clock }: Pick<Context, 'db' | 'clock'>, owedMost: OwedMost): Promise<Ran[]> {
  const now = clock()
  const settings = await deskSettings(db)
  const ran: Ran[] = []
  for (const rule of RULE_NAMES) {
    const { says, unit, isBad, limit }: Rule = RULES[rule]
    const set = settings[`rule_${rule}`]
    try {
      for (const measured of await MEASURES[rule]({ db, clock, now, owedMost })) {
        const own = measured.limit ?? limitAt(rule, now, set)
        const isUnknown = measured.value === undefined
        const state = isUnknown ? 'unknown' : isRaised(rule, measured.value ?? 0n, own) ? 'raised' : 'quiet'
        ran.push({
          name: measured.label ? `${rule}:${measured.label}` : rule,
          rule,
          state,
          // A sentence of its own says what is wrong: it is for what is raised.
          says: (state === 'raised' && measured.says) || (measured.label ? `${measured.label}: ${says}` : says),
          shown: measured.shown ?? (isUnknown ? '–' : formatSetting(measured.value ?? 0n, unit)),
          shownLimit: measured.shownLimit ?? formatSetting(own, unit),
          isBad
        })
      }
    } catch (error) {
      const why = describeError(error).message
      ran.push({
        name: rule,
        rule,
        state: 'unknown',
        says: `not known whether ${says}: ${why}`,
        shown: '–',
        shownLimit: formatSetting(limit, unit),
        isBad
      })
    }
  }
  return ran
}
