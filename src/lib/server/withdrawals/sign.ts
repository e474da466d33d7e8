/**
 * The signer's part: it checks every approved withdrawal again by its own rules, whatever the database says, and signs it. One that it
 * does not sign waits, with the reason in `waits`.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { CHAINS, type Chain, type ChainToken } from '#lib/domain/chains/chains.ts'
import { statesBefore, type WaitReason } from '#lib/domain/withdrawals/withdrawal.ts'
import {
  customerHash,
  NodeError,
  type Outcome,
  type Result,
  recoverSends,
  replaceStuck,
  type SendPurpose,
  type Signing,
  signSends
} from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { isDatabaseLost } from '../platform/db/faults.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { type Rates, worthAtMost } from '../rates/index.ts'
import type { ListedKey } from '../staff/index.ts'
import { isApproved } from './approval.ts'
import { refusalOf } from './check.ts'
import { clearAsked } from './clear.ts'
import { uncoveredTokens } from './cover.ts'
import { mostFeeOf } from './fee.ts'
import { isOrdered, signReturns } from './returns.ts'
import { type WithdrawalRow, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const EVERY_SECONDS = 5
const AT_ONCE = 200
/** Checked, planned and signed together: the node is asked once, and the disk waited for twice. */
const TOGETHER = 25

const WAITS: Partial<Record<Outcome, WaitReason>> = {
  stopped: 'halted',
  network_fee: 'network_fee',
  hot_wallet: 'hot_wallet',
  signer_limit: 'signer_limit',
  small_coins: 'small_coins',
  stuck: 'stuck'
}

/** Signs the approved withdrawals of a chain. One that waits does not hold up the others, unless all of the chain must wait. */
export async function signApproved(context: Context, settings: WithdrawalSettings, signing: Signing): Promise<void> {
  const { db, clock, log } = context
  const { chain } = signing.node
  await recoverSends(context, signing.journal, chain, claimSigned)
  // First those that were never looked at, then those looked at longest ago.
  const due = await db
    .select()
    .from(withdrawals)
    .where(and(eq(withdrawals.chain, chain), eq(withdrawals.state, 'approved'), isNull(withdrawals.cancelAskedAt)))
    .orderBy(sql`${withdrawals.lookedAt} nulls first`, asc(withdrawals.requestedAt))
    .limit(AT_ONCE)
  if (due.length === 0) return
  const rates = await settings.rates.current()
  const uncovered = await uncoveredTokens(context, settings, due)
  for (let from = 0; from < due.length; from += TOGETHER) {
    const rows = due.slice(from, from + TOGETHER)
    // Before the look: if this run ends at it, the next one begins with the others.
    await change(db, rows, { lookedAt: clock() })
    const outcomes = await lookAt(context, settings, signing, rates, rows, uncovered)
    const back = rows.filter(({ id }) => outcomes.get(id) === 'review')
    for (const { id } of back)
      log.error({ withdrawal: id }, 'the signer wants an approval by an operator of its list: back to review')
    await change(db, back, { state: 'review', approvedAt: null, waits: null })
    await keepWaits(context, rows, outcomes)
    if (rows.some(({ id }) => ['behind', 'halted'].includes(outcomes.get(id) ?? ''))) return
  }
}

const areWaiting = (rows: WithdrawalRow[]) =>
  and(
    inArray(
      withdrawals.id,
      rows.map(({ id }) => id)
    ),
    eq(withdrawals.state, 'approved')
  )

/** Changes those that are still approved. One that somebody else has locked, e.g. its customer who cancels it, stays and holds up nobody. */
async function change(db: Executor, rows: WithdrawalRow[], values: Partial<WithdrawalRow>): Promise<void> {
  if (rows.length === 0) return
  const free = db.select({ id: withdrawals.id }).from(withdrawals).where(areWaiting(rows)).for('update', { skipLocked: true })
  await db.update(withdrawals).set(values).where(inArray(withdrawals.id, free))
}

type Look = WaitReason | 'signed' | 'behind' | 'gone' | 'review'

/** Stores why a withdrawal waits, where that has changed. */
async function keepWaits({ db, log }: Context, rows: WithdrawalRow[], outcomes: Map<string, Look>): Promise<void> {
  const changed = new Map<WaitReason | null, WithdrawalRow[]>()
  for (const row of rows) {
    const outcome = outcomes.get(row.id) ?? 'gone'
    if (outcome === 'signed' || outcome === 'review') continue
    const waits = outcome === 'behind' || outcome === 'gone' ? null : outcome
    if (waits === row.waits) continue
    if (waits) log.warn({ withdrawal: row.id, waits }, 'a withdrawal waits')
    changed.set(waits, [...(changed.get(waits) ?? []), row])
  }
  for (const [waits, list] of changed) await change(db, list, { waits })
}

/**
 * An error of one withdrawal stays with it: it waits as `refused`, and the others go on. The run ends only where nothing can be signed: the
 * node does not respond, or payments were signed and perhaps not stored.
 */
async function lookAt(
  context: Context,
  settings: WithdrawalSettings,
  signing: Signing,
  rates: Rates,
  rows: WithdrawalRow[],
  uncovered: Set<ChainToken>
): Promise<Map<string, Look>> {
  const outcomes = new Map<string, Look>()
  const [now, newest] = [context.clock(), await signing.node.newestTime?.()]
  // The later of the two: neither a clock that was put back nor a chain that stands still lengthens an approval.
  const approvals = { keys: await listedKeys(context, settings), at: newest && newest > now ? newest : now }
  const checked = await Promise.all(rows.map((row) => checkOne(context, settings, rates, row, uncovered, approvals)))
  const right = rows.flatMap((row, at) => {
    const result = checked[at]
    if (typeof result === 'string') outcomes.set(row.id, result)
    else if (result && 'error' in result) outcomes.set(row.id, refused(context, row, result.error))
    else if (result) return [{ row, ...result }]
    return []
  })
  const signed = await signAll(context, signing, right)
  for (const { row } of right) {
    const result = signed.get(row.id) ?? 'gone'
    outcomes.set(row.id, typeof result === 'object' ? refused(context, row, result.error) : (WAITS[result] ?? (result as Look)))
  }
  return outcomes
}

/** While the list cannot be read, no passkey has approved anything; keys in files still do. */
async function listedKeys({ log }: Context, settings: WithdrawalSettings): Promise<ListedKey[]> {
  try {
    return await settings.staffKeys()
  } catch (error) {
    if (isDatabaseLost(error)) throw error
    log.error({ err: error }, 'the list of staff keys cannot be read')
    return []
  }
}

function refused({ log }: Context, row: WithdrawalRow, error: unknown): WaitReason {
  if (row.waits !== 'refused') log.error({ withdrawal: row.id, err: error }, 'a withdrawal cannot be signed')
  return 'refused'
}

type Checked = { cents: bigint; mostFee: bigint }

/** The worth of a withdrawal that may be signed, and its highest network fee, or why it waits. */
async function checkOne(
  context: Context,
  settings: WithdrawalSettings,
  rates: Rates,
  row: WithdrawalRow,
  uncovered: Set<ChainToken>,
  approvals: { keys: ListedKey[]; at: Date }
): Promise<Checked | WaitReason | 'review' | { error: unknown }> {
  if (uncovered.has(row.currency)) return 'hot_wallet'
  try {
    // The row is not believed: its worth may have been changed, or the price been wrong when it was requested.
    const now = worthAtMost(rates, row.currency, row.amount).usdCents
    const cents = now > row.usdCents ? now : row.usdCents
    const refusal = await refusalOf(context, settings, row)
    if (refusal) return refusal
    if (!(await isApproved(context.db, settings, row, { cents, ...approvals }))) return 'review'
    return { cents, mostFee: mostFeeOf(rates, row.currency) }
  } catch (error) {
    if (isDatabaseLost(error)) throw error
    return { error }
  }
}

/**
 * Marks a payment of the journal as signed, in whatever state its withdrawal is: its bytes may be on their way. False if it is over or
 * unknown.
 */
export async function claimSigned(
  work: Work,
  entry: { sendId: string; receiver: string; purpose: SendPurpose }
): Promise<boolean> {
  const { tx, now } = work
  if (entry.purpose === 'return') return isOrdered(work, entry)
  const [claimed] = await tx
    .update(withdrawals)
    .set({ state: 'signed', signedAt: now, waits: null })
    .where(
      and(
        eq(withdrawals.id, entry.sendId),
        inArray(withdrawals.state, statesBefore('signed')),
        eq(withdrawals.receiver, entry.receiver)
      )
    )
    .returning({ id: withdrawals.id })
  return claimed !== undefined
}

type Right = Checked & { row: WithdrawalRow }

/** Throws a NodeError if the node does not respond at all. */
async function signAll(context: Context, signing: Signing, right: Right[]): Promise<Map<string, Result>> {
  const payments = right.map(({ row: { id, userId, receiver, currency, amount, fee }, cents, mostFee }) => ({
    id,
    payout: { to: receiver, token: currency, amount: amount - fee },
    mostFee,
    cents,
    customer: customerHash(userId)
  }))
  const rows = new Map(right.map(({ row }) => [row.id, row]))
  const claim = async (work: Work, ids: string[]) =>
    claimRows(
      work,
      ids.flatMap((id) => rows.get(id) ?? [])
    )
  const results = await signSends(context, signing, { purpose: 'withdrawal', claim }, payments)
  const isNodeDoubted = [...results.values()].some((result) => typeof result === 'object' && result.error instanceof NodeError)
  if (isNodeDoubted) await signing.node.tip()
  return results
}

/** Marks withdrawals as signed that are still as they were checked; returns their ids. One that somebody else has locked is left for the next run. */
async function claimRows({ tx, now }: Work, rows: WithdrawalRow[]): Promise<string[]> {
  const free = await tx
    .select({ id: withdrawals.id, receiver: withdrawals.receiver, amount: withdrawals.amount })
    .from(withdrawals)
    .where(and(areWaiting(rows), isNull(withdrawals.cancelAskedAt)))
    .for('update', { skipLocked: true })
  const isAsChecked = ({ id, receiver, amount }: (typeof free)[number]) =>
    rows.some((row) => row.id === id && row.receiver === receiver && row.amount === amount)
  const ids = free.filter(isAsChecked).map(({ id }) => id)
  if (ids.length > 0)
    await tx.update(withdrawals).set({ state: 'signed', signedAt: now, waits: null }).where(inArray(withdrawals.id, ids))
  return ids
}

/** One job per chain, in the signer. If the node or the prices fail, the next run tries again. */
export function signJobs(
  context: Context,
  settings: WithdrawalSettings,
  signingOf: (chain: Chain) => Promise<Signing>
): JobKind[] {
  return CHAINS.map((chain) => ({
    name: `sign_${chain}`,
    role: 'signer',
    everySeconds: EVERY_SECONDS,
    run: async () => {
      const signing = await signingOf(chain)
      const failures: unknown[] = []
      const turns = [
        // Returns only if what was signed before is stored: they would take its coins.
        () => signApproved(context, settings, signing).then(() => signReturns(context, settings, signing)),
        () => clearAsked(context, signing),
        () => replaceStuck(context, signing)
      ]
      for (const turn of turns) {
        try {
          await turn()
        } catch (error) {
          if (error instanceof NodeError || error instanceof UnavailableError || isDatabaseLost(error))
            context.log.warn({ chain, err: error }, 'nothing can be signed at the moment')
          else failures.push(error)
        }
      }
      // Thrown after all turns: an error of the first must not keep back the payments that are stuck.
      if (failures.length > 0) throw failures[0]
    }
  }))
}
