/** Debts of customers who had spent a deposit before it was taken back. */
import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { spotFirst } from '#lib/domain/ledger/holdings.ts'
import { takeInOrder } from '#lib/domain/money/shares.ts'
import { liftHold } from '../access/index.ts'
import { type Account, customerAccount, house, lockedHolding, post, type Transfer } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Work } from '../platform/transaction.ts'
import { depositDebts } from './schema.ts'

type Debt = { id: bigint; owed: bigint; depositId: bigint }

/** The open debts, oldest first, locked until the transaction ends. */
export function lockDebts({ tx }: Work, userId: string, currency: string): Promise<Debt[]> {
  return tx
    .select({ id: depositDebts.id, owed: depositDebts.owed, depositId: depositDebts.depositId })
    .from(depositDebts)
    .where(and(eq(depositDebts.userId, userId), eq(depositDebts.currency, currency), sql`${depositDebts.owed} > 0`))
    .orderBy(depositDebts.id)
    .for('update')
}

/** Counts an amount against the debts, and lifts the hold of each debt that is fully paid. Returns what was paid of each. */
async function payOff(work: Work, open: Debt[], amount: bigint): Promise<{ debt: Debt; amount: bigint }[]> {
  const owed = open.map((debt) => ({ id: debt, amount: debt.owed }))
  const parts = takeInOrder(amount, owed).taken.map(({ id: debt, amount: paid }) => ({ debt, amount: paid }))
  for (const { debt, amount: paid } of parts) {
    await work.tx
      .update(depositDebts)
      .set({ owed: sql`${depositDebts.owed} - ${paid.toString()}::numeric` })
      .where(eq(depositDebts.id, debt.id))
    if (debt.owed === paid) await liftHold(work, { sourceType: 'deposit', sourceId: String(debt.depositId) })
  }
  return parts
}

/** The transfers of an amount to a customer: first what they owe for deposits that were taken back, the rest to spot. */
export async function paidTo(
  work: Work,
  source: Account,
  { userId, currency, amount }: { userId: string; currency: string; amount: bigint }
): Promise<Transfer[]> {
  const paid = (await payOff(work, await lockDebts(work, userId, currency), amount)).reduce((sum, part) => sum + part.amount, 0n)
  const parts: [bigint, Account][] = [
    [paid, house('losses')],
    [amount - paid, customerAccount(userId, 'spot')]
  ]
  return parts.flatMap(([part, destination]) => (part > 0n ? [{ source, destination, currency, amount: part }] : []))
}

/** Pays locked debts from the customer's spot and funding, after something has come back to them. */
export async function collectDebts(work: Work, open: Debt[], { userId, currency }: { userId: string; currency: string }) {
  if (open.length === 0) return
  const { tx, now } = work
  const { spot, funding } = await lockedHolding(tx, userId, currency)
  for (const { debt, amount } of await payOff(work, open, spot + funding)) {
    const { missing, ...from } = spotFirst(amount, await lockedHolding(tx, userId, currency))
    if (missing > 0n) throw new Error(`Debt ${debt.id} is paid with more than there is`)
    const parts: Transfer[] = [
      { source: customerAccount(userId, 'spot'), destination: house('losses'), currency, amount: from.spot },
      { source: customerAccount(userId, 'funding'), destination: house('losses'), currency, amount: from.funding }
    ]
    await post(tx, {
      reason: 'deposit_reverted',
      source: { type: 'deposit', id: String(debt.depositId) },
      reference: `debt:${debt.id}:${randomUUID()}`,
      actor: systemActor('deposits'),
      transfers: parts.filter((part) => part.amount > 0n),
      at: now
    })
  }
}
