/**
 * The signer's part: it checks every approved withdrawal again by its own rules, whatever the database says, and signs it. One that it
 * does not sign waits, with the reason in `waits`.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import { statesBefore, type WaitReason } from '#lib/domain/withdrawals/withdrawal.ts'
import {
  customerHash,
  NodeError,
  type Outcome,
  recoverSends,
  replaceStuck,
  type SendPurpose,
  type Signing,
  signSend
} from '../chains/index.ts'
import type { Context } from '../platform/context.ts'
import { UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { type Rates, worthAtMost } from '../rates/index.ts'
import { approverOf } from './approval.ts'
import { refusalOf } from './check.ts'
import { clearAsked } from './clear.ts'
import { uncoveredTokens } from './cover.ts'
import { mostFeeOf } from './fee.ts'
import { isOrdered, signReturns } from './returns.ts'
import { type WithdrawalRow, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'

const EVERY_SECONDS = 5
const AT_ONCE = 200

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
  for (const row of due) {
    const isWaiting = and(eq(withdrawals.id, row.id), eq(withdrawals.state, 'approved'))
    // Before the look: if this run ends at it, the next one begins with the others.
    await db.update(withdrawals).set({ lookedAt: clock() }).where(isWaiting)
    const outcome = uncovered.has(row.currency) ? 'hot_wallet' : await lookAt(context, settings, signing, rates, row)
    if (outcome === 'review') {
      log.error({ withdrawal: row.id }, 'the signer wants an approval by an operator of its list: back to review')
      await db.update(withdrawals).set({ state: 'review', approvedAt: null, waits: null }).where(isWaiting)
      continue
    }
    const waits = outcome === 'signed' || outcome === 'behind' || outcome === 'gone' ? null : outcome
    if (outcome !== 'signed' && waits !== row.waits) {
      if (waits) log.warn({ withdrawal: row.id, waits }, 'a withdrawal waits')
      await db.update(withdrawals).set({ waits }).where(isWaiting)
    }
    if (outcome === 'behind' || outcome === 'halted') return
  }
}

/**
 * An error of one withdrawal stays with it: it waits as `refused`, and the others go on. The run ends only where nothing can be signed: the
 * node does not respond, or a payment was signed and perhaps not stored.
 */
async function lookAt(context: Context, settings: WithdrawalSettings, signing: Signing, rates: Rates, row: WithdrawalRow) {
  try {
    // The row is not believed: its worth may have been changed, or the price been wrong when it was requested.
    const now = worthAtMost(rates, row.currency, row.amount).usdCents
    const cents = now > row.usdCents ? now : row.usdCents
    const refusal = await refusalOf(context, settings, row)
    if (refusal) return refusal
    if (cents > settings.limits.approvalAboveCents && !(await approverOf(context.db, settings, row))) return 'review' as const
    return await signOne(context, signing, { rates, cents }, row)
  } catch (error) {
    // It is in the journal but perhaps not in the database: the next run stores it, before anything takes its nonce or its coins.
    if (signing.journal.of(row.id).length > 0) throw error
    if (error instanceof NodeError) await signing.node.tip()
    if (row.waits !== 'refused') context.log.error({ withdrawal: row.id, err: error }, 'a withdrawal cannot be signed')
    return 'refused' as const
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

async function signOne(
  context: Context,
  signing: Signing,
  { rates, cents }: { rates: Rates; cents: bigint },
  row: WithdrawalRow
): Promise<WaitReason | 'signed' | 'behind' | 'gone'> {
  const { id, userId, receiver, currency, amount, fee } = row
  const outcome = await signSend(context, signing, {
    id,
    purpose: 'withdrawal',
    payout: { to: receiver, token: currency, amount: amount - fee },
    mostFee: mostFeeOf(rates, currency),
    cents,
    customer: customerHash(userId),
    claim: async ({ tx, now }) => {
      const [claimed] = await tx
        .update(withdrawals)
        .set({ state: 'signed', signedAt: now, waits: null })
        .where(
          and(
            eq(withdrawals.id, id),
            eq(withdrawals.state, 'approved'),
            isNull(withdrawals.cancelAskedAt),
            eq(withdrawals.receiver, receiver),
            eq(withdrawals.amount, amount)
          )
        )
        .returning({ id: withdrawals.id })
      return claimed !== undefined
    }
  })
  return WAITS[outcome] ?? (outcome as 'signed' | 'behind' | 'gone')
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
        () => signApproved(context, settings, signing),
        () => signReturns(context, settings, signing),
        () => clearAsked(context, signing),
        () => replaceStuck(context, signing)
      ]
      for (const turn of turns) {
        try {
          await turn()
        } catch (error) {
          if (error instanceof NodeError || error instanceof UnavailableError)
            context.log.warn({ chain, err: error }, 'nothing can be signed at the moment')
          else failures.push(error)
        }
      }
      // Thrown after all turns: an error of the first must not keep back the payments that are stuck.
      if (failures.length > 0) throw failures[0]
    }
  }))
}
