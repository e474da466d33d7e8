/**
 * The signer's part: it checks every approved withdrawal again by its own rules, whatever the database says, and signs it. One that it
 * does not sign waits, with the reason in `waits`.
 */
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { readAddress } from '#lib/domain/chains/address.ts'
import { CHAINS, type Chain } from '#lib/domain/chains/chains.ts'
import {
  smallestWithdrawal,
  statesBefore,
  statusOf,
  type WaitReason,
  WITHDRAWAL_FEES,
  WITHDRAWAL_STATES
} from '#lib/domain/withdrawals/withdrawal.ts'
import { users } from '../access/index.ts'
import { customerHash, NodeError, type Outcome, recoverSends, replaceStuck, type Signing, signSend } from '../chains/index.ts'
import { bookedUnder, holdingsOf } from '../ledger/index.ts'
import type { Context } from '../platform/context.ts'
import { AppError, UnavailableError } from '../platform/errors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import type { Work } from '../platform/transaction.ts'
import { type Rates, worthAtMost } from '../rates/index.ts'
import { approverOf } from './approval.ts'
import { clearAsked } from './clear.ts'
import { uncoveredTokens } from './cover.ts'
import { mostFeeOf } from './fee.ts'
import { gateOf, refuseOurs, requireListed } from './gate.ts'
import { signReturns } from './returns.ts'
import { type WithdrawalRow, withdrawalAddresses, withdrawals } from './schema.ts'
import type { WithdrawalSettings } from './settings.ts'
import { partsOf } from './transfers.ts'

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
export async function claimSigned({ tx, now }: Work, entry: { sendId: string; receiver: string }): Promise<boolean> {
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

/** Why the signer refuses a withdrawal, by its own checks; undefined if it may be signed. */
async function refusalOf(
  { db, clock, log }: Context,
  settings: WithdrawalSettings,
  row: WithdrawalRow
): Promise<WaitReason | undefined> {
  const now = clock()
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, row.userId))
  const [address] = await db.select().from(withdrawalAddresses).where(eq(withdrawalAddresses.id, row.addressId))
  if (!user || !(await gateOf(db, user, now)).allowed) return 'gate'
  const read = readAddress(row.chain, row.receiver, settings.networks)
  const isRight =
    !read.fault &&
    read.address === row.receiver &&
    address?.address === row.receiver &&
    address.userId === row.userId &&
    row.fee === WITHDRAWAL_FEES[row.currency] &&
    row.amount >= smallestWithdrawal(row.currency) &&
    row.fromSpot + row.fromFunding === row.amount &&
    (await isPaidFor(db, row)) &&
    (await isForeign(db, row, settings))
  if (!isRight) {
    log.error({ withdrawal: row.id }, 'the signer refuses a withdrawal: its facts do not agree')
    return 'checked'
  }
  // The customer removed the address in the meantime: it must be confirmed by mail again.
  if (address.confirmedAt === null) return 'gate'
  const listed = await requireListed(db, row.userId, address, now).then(
    () => true,
    () => false
  )
  return listed ? undefined : 'gate'
}

/** True if its amount was booked from its customer to `outgoing`, and neither given back nor paid. */
async function isPaidFor(db: Context['db'], row: WithdrawalRow): Promise<boolean> {
  const reference = `withdrawal:${row.id}`
  const [requested, back, paid] = await Promise.all([
    bookedUnder(db, reference),
    bookedUnder(db, `${reference}:back`),
    bookedUnder(db, `${reference}:paid`)
  ])
  const text = (source: string, destination: string, currency: string, amount: bigint) =>
    `${source} > ${destination} ${amount} ${currency}`
  const expected = partsOf(row, false).map(({ source, destination, currency, amount }) =>
    text(`${source.owner} ${source.kind}`, `${destination.owner} ${destination.kind}`, currency, amount)
  )
  const found = requested.map(({ source, destination, currency, amount }) => text(source, destination, currency, amount))
  const isBooked = back.length === 0 && paid.length === 0 && expected.toSorted().join() === found.toSorted().join()
  return isBooked && (await isCovered(db, row))
}

/** True if what the customer has in `outgoing` pays all of their withdrawals under way: it may have been booked away since. */
async function isCovered(db: Context['db'], { userId, currency }: WithdrawalRow): Promise<boolean> {
  const [open] = await db
    .select({ sum: sql<string>`coalesce(sum(${withdrawals.amount}), 0)::text` })
    .from(withdrawals)
    .where(and(eq(withdrawals.userId, userId), eq(withdrawals.currency, currency), inArray(withdrawals.state, UNDER_WAY)))
  return ((await holdingsOf(db, userId)).get(currency)?.outgoing ?? 0n) >= BigInt(open?.sum ?? 0)
}
const UNDER_WAY = WITHDRAWAL_STATES.filter((state) => statusOf(state) === 'PENDING')

async function isForeign(
  db: Context['db'],
  { chain, receiver, userId }: WithdrawalRow,
  settings: WithdrawalSettings
): Promise<boolean> {
  try {
    await refuseOurs(db, { chain, address: receiver, userId }, settings)
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
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
