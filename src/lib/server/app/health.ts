/**
 * Silence is a fault. What should go on and does not, and what checks have found: each is an error in the log once, and a line of
 * `npm run health` for as long as it lasts.
 */
import { asc, eq, inArray, notInArray } from 'drizzle-orm'
import { CHAINS, type ChainToken, DEPOSITABLE } from '#lib/domain/chains/chains.ts'
import { formatExactUnits } from '#lib/format/amount.ts'
import { findStop, lastBlockAt } from '../chains/index.ts'
import { coverOf, houseBalance, settleStock, verifyLedger } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { alarms } from '../platform/db/schema.ts'
import { beat, lastBeats } from '../platform/heartbeat.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { failingJobs } from '../platform/jobs/read.ts'
import { openDoubts } from '../rates/index.ts'
import { unsignedSince, verifyAudit } from '../staff/index.ts'
import { custodyBeat } from '../withdrawals/index.ts'
import { ledgerChecks } from './features.ts'

/** `name`: stays the same for as long as the fault lasts. */
export type Fault = { name: string; says: string }

const MINUTE_MS = 60_000
/** Six times the usual interval between blocks. */
const SILENT_MS = { bitcoin: 60 * MINUTE_MS, ethereum: 72_000, cpc: 6 * MINUTE_MS }
const HEARTBEAT_SECONDS = 60
const NO_HEARTBEAT_MS = 5 * MINUTE_MS
/** The signer signs every five minutes. */
const NO_HEAD_MS = 20 * MINUTE_MS
const NO_CUSTODY_MS = 3 * 60 * MINUTE_MS
const ROLES = ['worker', 'signer'] as const
const DAY_SECONDS = 86_400

const minutes = (since: Date, now: Date) => `${Math.floor((now.getTime() - since.getTime()) / MINUTE_MS)} minutes`

/** `owedMost`: by token, by how many smallest units customers may have more than there are coins. */
type OwedMost = Record<ChainToken, bigint>

/** Everything that is wrong now. A part that never began, e.g. a chain that was never read, is not silent. */
export async function faultsOf({ db, clock }: Pick<Context, 'db' | 'clock'>, owedMost: OwedMost): Promise<Fault[]> {
  const now = clock()
  const isOld = (at: Date | undefined, ms: number): at is Date => at !== undefined && now.getTime() - at.getTime() > ms
  const faults: Fault[] = []
  const names = [...ROLES.map((role) => `role:${role}`), ...CHAINS.map(custodyBeat)]
  const beats = await lastBeats(db, names)
  for (const role of ROLES) {
    const at = beats.get(`role:${role}`)
    if (isOld(at, NO_HEARTBEAT_MS))
      faults.push({ name: `role:${role}`, says: `no ${role} has been at work for ${minutes(at, now)}` })
  }
  for (const chain of CHAINS) {
    const [block, custody] = [await lastBlockAt(db, chain), beats.get(custodyBeat(chain))]
    const isStopped = (await findStop(db, chain)) !== undefined
    if (!isStopped && isOld(block, SILENT_MS[chain]))
      faults.push({ name: `blocks:${chain}`, says: `${chain}: the node has shown no new block for ${minutes(block, now)}` })
    if (!isStopped && isOld(custody, NO_CUSTODY_MS))
      faults.push({
        name: `custody:${chain}`,
        says: `${chain}: coins and books could not be compared for ${minutes(custody, now)}`
      })
  }
  for (const { kind, tries, lastError } of await failingJobs(db))
    faults.push({ name: `job:${kind}`, says: `the job ${kind} has failed ${tries} times in a row: ${lastError}` })
  for (const token of DEPOSITABLE) {
    const fees = await houseBalance(db, 'fees', token)
    if (fees < 0n)
      faults.push({ name: `fees:${token}`, says: `the fund of fees is below zero: ${formatExactUnits(fees, token)} ${token}` })
    const { claims, coins } = await coverOf(db, token)
    const shown = (units: bigint) => formatExactUnits(units, token)
    if (claims - coins > owedMost[token])
      faults.push({
        name: `cover:${token}`,
        says: `customers have ${shown(claims)} ${token} and there are ${shown(coins)}: ${shown(owedMost[token])} may be owed, and nothing is signed above it`
      })
  }
  for (const { currency, priceUsd } of await openDoubts(db))
    faults.push({
      name: `price:${currency}`,
      says: `the price of ${currency}, $${priceUsd}, is in doubt: npm run prices -- list`
    })
  const unsigned = await unsignedSince(db)
  if (isOld(unsigned, NO_HEAD_MS))
    faults.push({
      name: 'audit:head',
      says: `the signer has signed nothing of the staff's audit log for ${minutes(unsigned, now)}`
    })
  const kept = await db
    .select()
    .from(alarms)
    .where(inArray(alarms.name, [...DAILY]))
  return [...faults, ...kept]
}

/** Compared once a day; what was found stays until it is right. */
const BOOKS = 'ledger'
const AUDIT = 'audit'
const DAILY = [BOOKS, AUDIT] as const

/**
 * What the worker found when it last looked, each with its time; reading it costs the same however many customers there are. Where no worker
 * looks, nothing is known: that is a fault of its own, never all clear.
 */
export async function knownFaults({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<(Fault & { since: Date })[]> {
  const [found, beats] = await Promise.all([db.select().from(alarms).orderBy(asc(alarms.since)), lastBeats(db, ['role:worker'])])
  const at = beats.get('role:worker')
  const isSilent = at === undefined || clock().getTime() - at.getTime() > NO_HEARTBEAT_MS
  const silent = { name: 'unknown', says: 'no worker looks for faults: what is wrong now is not known', since: at ?? clock() }
  return isSilent ? [silent, ...found.filter(({ name }) => name !== 'role:worker')] : found
}

/** Logs what is new, and forgets what is over. */
export async function watchHealth(context: Context, owedMost: OwedMost): Promise<void> {
  const { db, log, clock } = context
  const faults = await faultsOf(context, owedMost)
  for (const fault of faults) {
    const [known] = await db
      .insert(alarms)
      .values({ ...fault, since: clock() })
      .onConflictDoNothing()
      .returning()
    if (known) log.error({ fault: fault.name }, fault.says)
  }
  await db.delete(alarms).where(notInArray(alarms.name, [...DAILY, ...faults.map(({ name }) => name)]))
}

/** The same as `npm run ledger:verify`. Processes of an earlier release, which know no `owed`, may have been at work until a moment ago. */
export async function verifyBooks(context: Context): Promise<void> {
  const { db, log, clock } = context
  await settleStock(context)
  const { problems } = await verifyLedger(db, ledgerChecks)
  if (problems.length === 0) {
    await db.delete(alarms).where(eq(alarms.name, BOOKS))
    return
  }
  const row = { name: BOOKS, says: `the ledger is WRONG: ${problems.join('; ')}`, since: clock() }
  const [known] = await db.insert(alarms).values(row).onConflictDoNothing().returning()
  if (known) log.error({ problems }, 'the ledger is WRONG')
}

/** The same as `npm run audit:verify`. `signerKey`: the signer's public key. */
export async function verifyAuditLog({ db, log, clock }: Context, signerKey: string): Promise<void> {
  const { problems, forged } = await verifyAudit(db, signerKey)
  const found = [...problems, ...forged]
  if (found.length === 0) {
    await db.delete(alarms).where(eq(alarms.name, AUDIT))
    return
  }
  const row = { name: AUDIT, says: `the staff's audit log is BROKEN: ${found.slice(0, 5).join('; ')}`, since: clock() }
  const [known] = await db.insert(alarms).values(row).onConflictDoNothing().returning()
  if (known) log.error({ problems: found.slice(0, 50) }, "the staff's audit log is BROKEN")
}

export function healthJobs(context: Context, owedMost: OwedMost, signerKey: string): JobKind[] {
  return [
    ...ROLES.map((role) => ({
      name: `heartbeat_${role}`,
      role,
      everySeconds: HEARTBEAT_SECONDS,
      run: () => beat(context, `role:${role}`)
    })),
    { name: 'health', role: 'worker', everySeconds: HEARTBEAT_SECONDS, run: () => watchHealth(context, owedMost) },
    { name: 'ledger_verify', role: 'worker', isSlow: true, everySeconds: DAY_SECONDS, run: () => verifyBooks(context) },
    {
      name: 'audit_verify',
      role: 'worker',
      isSlow: true,
      everySeconds: DAY_SECONDS,
      run: () => verifyAuditLog(context, signerKey)
    }
  ]
}
