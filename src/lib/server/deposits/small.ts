/**
 * Deposits below the smallest one wait in `suspense`, and are credited together as soon as those of a customer, a token and an address add up
 * to it. Where a reorganisation takes one of them back and the others no longer reach it, they wait again.
 */
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { countsAsSmall, type DepositRules } from '#lib/domain/deposits/deposit.ts'
import { users } from '../access/index.ts'
import { house, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import { worthOn } from '../rates/index.ts'
import { referenceOf } from './booking.ts'
import { paidTo } from './debts.ts'
import { tellCreditedTogether } from './mails.ts'
import { type DepositRow, deposits, suspenseDecisions } from './schema.ts'

type Place = Pick<DepositRow, 'userId' | 'addressId' | 'currency'>
type Rules = Pick<DepositRules, 'smallest'>

const sumOf = (rows: { amount: bigint }[]) => rows.reduce((sum, { amount }) => sum + amount, 0n)

function booked({ userId, addressId, currency }: Place, which: SQL | undefined): SQL | undefined {
  return and(
    eq(deposits.userId, userId ?? ''),
    eq(deposits.addressId, addressId),
    eq(deposits.currency, currency),
    isNotNull(deposits.bookedAt),
    isNull(deposits.revertedAt),
    which
  )
}

/** Counted together at a time, the largest first: anybody can send dust. */
const MOST = 500

/** The waiting small deposits at an address, without those about which an operator has decided. `lock`: until the transaction ends. */
async function waitingAt(tx: Executor, place: Place, lock = false): Promise<DepositRow[]> {
  const asked = tx
    .select()
    .from(deposits)
    .where(booked(place, eq(deposits.note, 'small')))
    .orderBy(desc(deposits.amount), asc(deposits.id))
    .limit(MOST)
  const rows = lock ? await asked.for('update') : await asked
  if (rows.length === 0) return []
  // Asked after the rows are locked: an operator decides under the same locks.
  const isOne = and(
    eq(suspenseDecisions.kind, 'deposit'),
    inArray(
      suspenseDecisions.suspendedId,
      rows.map(({ id }) => id)
    )
  )
  const decided = await tx.select({ id: suspenseDecisions.suspendedId }).from(suspenseDecisions).where(isOne)
  return rows.filter((row) => countsAsSmall(row.currency, row.amount) && !decided.some(({ id }) => id === row.id))
}

/** What the small deposits at an address still lack until they are credited; undefined for a token without a least. */
export async function missingAt(db: Executor, { smallest }: Rules, place: Place): Promise<bigint | undefined> {
  if (!isChainToken(place.currency)) return undefined
  const missing = smallest[place.currency] - sumOf(await waitingAt(db, place))
  return missing > 0n ? missing : 0n
}

/** Credits the small deposits at the address of one that was just booked, if they reach the least together. */
export async function creditTogether(context: Context, work: Work, { smallest }: Rules, row: DepositRow): Promise<boolean> {
  const { userId, currency } = row
  if (!userId || !isChainToken(currency)) return false
  const { tx, now } = work
  // Two at once would each miss what the other has not committed yet.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const rows = await waitingAt(tx, row, true)
  if (sumOf(rows) < smallest[currency]) return false
  for (const one of rows) {
    await post(tx, {
      reason: 'deposit_credited',
      source: { type: 'deposit', id: String(one.id) },
      reference: `together:${referenceOf(one)}:${row.id}`,
      actor: systemActor('chains'),
      transfers: await paidTo(work, house('suspense'), { userId, currency, amount: one.amount }),
      at: now
    })
    const worth = await worthOn(tx, now, currency, one.amount)
    await tx
      .update(deposits)
      .set({ status: 'CREDITED', note: null, euroCents: worth?.euroCents ?? null })
      .where(eq(deposits.id, one.id))
  }
  await tellCreditedTogether(context, work, row, { amount: sumOf(rows), count: rows.length })
  return true
}

/** The credited small deposits at the address of one that was taken back, locked, if they no longer reach the least. */
export async function belowLeast({ tx }: Work, { smallest }: Rules, row: DepositRow): Promise<DepositRow[]> {
  if (!row.userId || !isChainToken(row.currency) || row.amount >= smallest[row.currency]) return []
  const isSmall = and(eq(deposits.status, 'CREDITED'), lt(deposits.amount, sql`${smallest[row.currency].toString()}::numeric`))
  const rows = await tx.select().from(deposits).where(booked(row, isSmall)).orderBy(asc(deposits.id)).for('update')
  return sumOf(rows) < smallest[row.currency] ? rows : []
}
