/** Takes deposits back whose block a reorganisation has removed. */
import { and, desc, eq, gte, isNull, sql } from 'drizzle-orm'
import type { Chain } from '#lib/domain/chains/chains.ts'
import type { DepositRules } from '#lib/domain/deposits/deposit.ts'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { holdWithdrawals } from '../access/index.ts'
import { readAddressRow } from '../chains/index.ts'
import { type Account, customerAccount, house, lockedHolding, post, type Transfer, withStock } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { placeOf, referenceOf } from './booking.ts'
import { tellBooked, tellReverted } from './mails.ts'
import { type DepositRow, depositDebts, deposits, suspenseDecisions } from './schema.ts'
import { belowLeast } from './small.ts'

/** Takes back what came in blocks that a reorganisation removed, from this height on. */
export async function revertDeposits(
  context: Context,
  work: Work,
  rules: DepositRules,
  { chain, fromHeight }: { chain: Chain; fromHeight: number }
): Promise<void> {
  const { tx, now } = work
  const rows = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.chain, chain), gte(deposits.blockHeight, fromHeight), isNull(deposits.revertedAt)))
    .orderBy(desc(deposits.id))
    .for('update')
  for (const row of rows) {
    const { transfers, isOwed } = row.bookedAt ? await reversal(work, row) : { transfers: [], isOwed: false }
    await postBack(work, row, `reverted:${referenceOf(row)}`, transfers)
    await tx.update(deposits).set({ status: 'PENDING', note: 'reorganised', revertedAt: now }).where(eq(deposits.id, row.id))
    if (row.bookedAt && row.status === 'CREDITED') await tellReverted(context, work, row, isOwed)
  }
  // After all rows: which of the others still reach the smallest deposit together.
  for (const row of rows) if (row.status === 'CREDITED') await waitAgain(context, work, rules, row)
}

async function postBack({ tx, now }: Work, row: DepositRow, reference: string, transfers: Transfer[]): Promise<void> {
  if (transfers.length === 0) return
  await post(tx, {
    reason: 'deposit_reverted',
    source: { type: 'deposit', id: String(row.id) },
    reference,
    actor: systemActor('chains'),
    transfers,
    at: now
  })
}

/** Small deposits that were credited together with one that was taken back wait in `suspense` again, if they no longer reach the least. */
async function waitAgain(context: Context, work: Work, rules: DepositRules, taken: DepositRow): Promise<void> {
  for (const row of await belowLeast(work, rules, taken)) {
    const { transfers } = await fromCustomer(work, row, row.userId ?? '', house('suspense'))
    await postBack(work, row, `waits:${referenceOf(row)}:${taken.id}`, transfers)
    const waiting = { status: 'TX_CONFIRMED', note: 'small', euroCents: null } as const
    await work.tx.update(deposits).set(waiting).where(eq(deposits.id, row.id))
    await tellBooked(context, work, { ...row, ...waiting }, rules)
  }
}

/** What an operator decided about a suspended deposit; undefined if nothing. */
async function decisionOf(tx: Executor, id: bigint): Promise<{ userId: string | null } | undefined> {
  const [decision] = await tx
    .select({ userId: suspenseDecisions.userId })
    .from(suspenseDecisions)
    .where(and(eq(suspenseDecisions.kind, 'deposit'), eq(suspenseDecisions.suspendedId, id)))
  return decision
}

type Reversal = { transfers: Transfer[]; isOwed: boolean }

/**
 * Who gives the coins back is who has them by now: the customer who was credited, by us or by an operator; the treasury; or `suspense`. What
 * a customer has spent already becomes their debt, and their withdrawals are held.
 */
async function reversal(work: Work, row: DepositRow): Promise<Reversal> {
  const { tx } = work
  const { currency, amount } = row
  const place = placeOf(await readAddressRow(tx, row.addressId))
  const back = (source: Account, part: bigint): Transfer[] =>
    part > 0n ? [{ source, destination: place, currency, amount: part }] : []
  const decision = row.status === 'CREDITED' ? { userId: row.userId } : await decisionOf(tx, row.id)
  if (!decision) return { transfers: back(house('suspense'), amount), isOwed: false }
  const { userId } = decision
  if (!userId) return { transfers: await withStock(tx, back(house('treasury'), amount)), isOwed: false }
  return fromCustomer(work, row, userId, place)
}

/** From the customer's spot and funding; what is missing is a debt, and holds their withdrawals until it is paid. */
async function fromCustomer(work: Work, row: DepositRow, userId: string, destination: Account): Promise<Reversal> {
  const { tx, now } = work
  const { currency, amount } = row
  const back = (source: Account, part: bigint): Transfer[] => (part > 0n ? [{ source, destination, currency, amount: part }] : [])
  const { spot, funding, missing } = spotFirst(amount, await lockedHolding(tx, userId, currency))
  if (missing > 0n) {
    await tx
      .insert(depositDebts)
      .values({ depositId: row.id, userId, currency, owed: missing, createdAt: now })
      // A small deposit can be taken back more than once: to wait again, and with its own block.
      .onConflictDoUpdate({ target: depositDebts.depositId, set: { owed: sql`${depositDebts.owed} + excluded.owed` } })
    await holdWithdrawals(
      work,
      { userId, reason: 'deposit_reverted', sourceType: 'deposit', sourceId: String(row.id) },
      { isAgain: true }
    )
  }
  const transfers = [
    ...back(customerAccount(userId, 'spot'), spot),
    ...back(customerAccount(userId, 'funding'), funding),
    ...back(house('losses'), missing)
  ]
  return { transfers, isOwed: missing > 0n }
}
