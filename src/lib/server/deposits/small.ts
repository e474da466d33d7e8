/**
 * Deposits below the smallest one wait in `suspense`, and are credited together as soon as those of a customer, a token and an address add up
 * to it. Where a reorganisation takes one of them back and the others no longer reach it, they wait again.
 */
import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { isChainToken } from '#lib/domain/chains/chains.ts'
import { users } from '../access/index.ts'
import { house, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Work } from '../platform/transaction.ts'
import { worthOn } from '../rates/index.ts'
import { referenceOf } from './booking.ts'
import { paidTo } from './debts.ts'
import { tellCreditedTogether } from './mails.ts'
import { type DepositRow, deposits } from './schema.ts'
import { booked, type Rules, sumOf, waitingAt } from './waiting.ts'

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
