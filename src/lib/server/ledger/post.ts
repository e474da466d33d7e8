/** The only writer of accounts and postings. */
import { sql } from 'drizzle-orm'
import type { CustomerKind, HouseKind } from '#lib/domain/ledger/holdings.ts'
import { databaseError, type Executor, rowsOf } from '../platform/db/client.ts'
import { HOUSE_ID } from './schema.ts'

export type Account = { owner: string; kind: CustomerKind } | { owner: typeof HOUSE_ID; kind: HouseKind }
/** `amount` in smallest units, more than zero. */
export type Transfer = { source: Account; destination: Account; currency: string; amount: bigint }
export type LedgerReason = 'moved_between_accounts' | 'order_completed' | 'payment_unmatched' | 'adjustment'

export class InsufficientFundsError extends Error {
  override name = 'InsufficientFundsError'
}
export class AlreadyBookedError extends Error {
  override name = 'AlreadyBookedError'
}

export function house(kind: HouseKind): Account {
  return { owner: HOUSE_ID, kind }
}

export function customerAccount(owner: string, kind: CustomerKind): Account {
  return { owner, kind }
}

/**
 * Books transfers as one transaction, in one round trip, and returns its id. Throws InsufficientFundsError where a
 * customer's account would go below zero and AlreadyBookedError where the reference was booked before; after either
 * the surrounding database transaction can only be rolled back.
 */
export async function post(
  db: Executor,
  { reason, reference, transfers, at }: { reason: LedgerReason; reference: string; transfers: Transfer[]; at: Date }
): Promise<bigint> {
  const list = transfers.map(({ source, destination, currency, amount }) => ({
    source: source.owner,
    sourceKind: source.kind,
    destination: destination.owner,
    destinationKind: destination.kind,
    currency,
    amount: amount.toString()
  }))
  try {
    const answer = await db.execute(
      sql`select ledger_post(${reason}, ${reference}, ${JSON.stringify(list)}::jsonb, ${at.toISOString()}::timestamptz)::text as id`
    )
    return BigInt(rowsOf<{ id: string }>(answer)[0]?.id ?? 0)
  } catch (error) {
    const { constraint } = databaseError(error)
    if (constraint === 'accounts_balance_not_negative') throw new InsufficientFundsError(reference, { cause: error })
    if (constraint === 'ledger_transactions_reference') throw new AlreadyBookedError(reference, { cause: error })
    throw error
  }
}
