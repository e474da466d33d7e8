/** The sender of a deposit above EUR 1,000: asked for afterwards; withdrawals wait for it. */
import { and, desc, eq, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import { needsDetails, type PartyDetails } from '#lib/domain/chains/parties.ts'
import type { Customer } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { AppError } from '../platform/errors.ts'
import { type Rates, worthOf } from '../rates/index.ts'
import { type DepositRow, deposits } from './schema.ts'

const MOST = 200

/** Credited deposits whose sender must be declared and is not. Valued by today's price if none was kept for their day. */
export async function depositsWithoutDetails(db: Executor, rates: Rates, userId: string): Promise<DepositRow[]> {
  const rows = await db
    .select()
    .from(deposits)
    .where(
      and(eq(deposits.userId, userId), eq(deposits.status, 'CREDITED'), isNull(deposits.details), isNull(deposits.revertedAt))
    )
    .orderBy(desc(deposits.id))
    .limit(MOST)
  return rows.filter(({ euroCents, currency, amount }) => needsDetails(euroCents ?? worthOf(rates, currency, amount).euroCents))
}

type Undeclared = { currency: string; amount: string; euroCents: string | null }

/**
 * Credited deposits without details of their sender, as a column of another query: `isUndeclared` says whether one of them is too large.
 */
export const undeclaredSql = (userId: SQLWrapper | string) => sql<Undeclared[]>`(
  select coalesce(json_agg(json_build_object('currency', d.currency, 'amount', d.amount::text, 'euroCents', d.euro_cents::text)), '[]')
  from ${deposits} d where d.user_id = ${userId} and d.status = 'CREDITED' and d.details is null and d.reverted_at is null)`

export function isUndeclared(rates: Rates, found: Undeclared[]): boolean {
  return found.some(({ currency, amount, euroCents }) =>
    needsDetails(euroCents === null ? worthOf(rates, currency, BigInt(amount)).euroCents : BigInt(euroCents))
  )
}

/** Throws `deposit_not_found`, also for another customer's deposit. */
export async function giveDepositDetails(
  { db }: Context,
  { userId }: Customer,
  { id, details }: { id: string; details: PartyDetails }
): Promise<void> {
  const given = await db
    .update(deposits)
    .set({ details })
    .where(and(eq(deposits.id, BigInt(id)), eq(deposits.userId, userId)))
    .returning({ id: deposits.id })
  if (given.length === 0) throw new AppError('deposit_not_found')
}
