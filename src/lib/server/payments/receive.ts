import { eq } from 'drizzle-orm'
import { judgePayment } from '#lib/domain/orders/order.ts'
import { findReference } from '#lib/domain/orders/reference.ts'
import { isVerifiedCustomer } from '../identity/read.ts'
import { house, post } from '../ledger/post.ts'
import { completeOrder } from '../orders/complete.ts'
import type { Context } from '../platform/context.ts'
import type { Transaction } from '../platform/db/client.ts'
import { orders, payments } from '../platform/db/schema.ts'
import type { BankEntry } from '../platform/ports.ts'
import { transact } from '../platform/transaction.ts'

export type Payment = typeof payments.$inferSelect

/**
 * Books an entry of the bank's statement, once, however often it is told. Exactly the amount of an open order
 * completes it; anything else is kept in suspense with its reason. All in one transaction.
 */
export async function receivePayment(context: Context, entry: BankEntry): Promise<Payment> {
  const rates = await context.ports.rates.current()
  return transact(context, async (tx) => {
    const [known] = await findPayment(tx, entry.entryId)
    if (known) return known
    const reference = findReference(entry.remittance)
    const [order] = reference ? await tx.select().from(orders).where(eq(orders.id, reference)).for('update') : []
    const receivedAt = context.clock()
    const isVerified = order !== undefined && (await isVerifiedCustomer(tx, order.userId))
    const outcome = judgePayment({ ...entry, receivedAt }, order && { ...order, isVerified })
    const [payment] = await tx
      .insert(payments)
      .values({
        bankEntryId: entry.entryId,
        amountCents: entry.amountCents,
        currency: entry.currency,
        remittance: entry.remittance,
        payerName: entry.payerName,
        payerIban: entry.payerIban,
        outcome,
        orderId: order?.id ?? null,
        receivedAt
      })
      .onConflictDoNothing({ target: payments.bankEntryId })
      .returning()
    if (!payment) return requirePayment(tx, entry.entryId)
    if (outcome === 'matched' && order) await completeOrder(context, tx, order, rates)
    else await holdInSuspense(context, tx, entry)
    return payment
  })
}

async function holdInSuspense(context: Context, tx: Transaction, entry: BankEntry): Promise<void> {
  await post(tx, {
    reason: 'payment_unmatched',
    reference: `payment:${entry.entryId}`,
    transfers: [{ source: house('bank'), destination: house('suspense'), currency: entry.currency, amount: entry.amountCents }],
    at: context.clock()
  })
}

function findPayment(tx: Transaction, entryId: string): Promise<Payment[]> {
  return tx.select().from(payments).where(eq(payments.bankEntryId, entryId))
}

async function requirePayment(tx: Transaction, entryId: string): Promise<Payment> {
  const [payment] = await findPayment(tx, entryId)
  if (!payment) throw new Error(`The bank entry ${entryId} is neither new nor known`)
  return payment
}
