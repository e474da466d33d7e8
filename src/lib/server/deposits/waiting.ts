/** The small deposits at an address that wait in `suspense` until they add up to the smallest deposit. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { countsAsSmall, type DepositRules } from '#lib/domain/deposits/deposit.ts'
import type { Executor } from '../platform/db/client.ts'
import { type DepositRow, deposits, suspenseDecisions } from './schema.ts'

type Place = Pick<DepositRow, 'userId' | 'addressId' | 'currency'>
export type Rules = Pick<DepositRules, 'smallest'>

export const sumOf = (rows: { amount: bigint }[]) => rows.reduce((sum, { amount }) => sum + amount, 0n)

export function booked({ userId, addressId, currency }: Place, which: SQL | undefined): SQL | undefined {
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
export async function waitingAt(tx: Executor, place: Place, lock = false): Promise<DepositRow[]> {
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
