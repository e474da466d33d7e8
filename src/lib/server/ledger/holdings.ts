import { eq } from 'drizzle-orm'
import { CUSTOMER_KINDS, type CustomerKind, emptyHolding, type Holding } from '#lib/domain/ledger/holdings.ts'
import type { Executor } from '../platform/db/client.ts'
import { accounts } from './schema.ts'

function isCustomerKind(kind: string): kind is CustomerKind {
  return CUSTOMER_KINDS.some((known) => known === kind)
}

/** A customer's accounts by currency, in smallest units; a currency that was never booked is not in it. */
export async function holdingsOf(db: Executor, userId: string): Promise<Map<string, Holding>> {
  const rows = await db
    .select({ currency: accounts.currency, kind: accounts.kind, balance: accounts.balance })
    .from(accounts)
    .where(eq(accounts.ownerId, userId))
  const holdings = new Map<string, Holding>()
  for (const { currency, kind, balance } of rows) {
    const holding = holdings.get(currency) ?? emptyHolding()
    if (isCustomerKind(kind)) holding[kind] = balance
    holdings.set(currency, holding)
  }
  return holdings
}
