/** Decides what a bank entry means for us: reads the database and changes nothing. */
import { and, eq } from 'drizzle-orm'
import { findReference } from '#lib/domain/orders/reference.ts'
import { judgePayment, type UnmatchedReason } from '#lib/domain/payments/judge.ts'
import { isVerifiedCustomer } from '../identity/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import { hashToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import type { BankEntry } from './port.ts'
import { payments } from './schema.ts'

export type Payment = typeof payments.$inferSelect
export type Verdict =
  | { outcome: 'known'; payment: Payment }
  | { outcome: 'matched'; order: OrderRow }
  | { outcome: 'returned'; order: OrderRow }
  | { outcome: 'debit' }
  | { outcome: UnmatchedReason; order: OrderRow | undefined; entryId?: string }

/** `lock`: keeps the order as it is until the transaction ends. */
export async function judgeEntry(db: Executor, entry: BankEntry, { lock = false } = {}): Promise<Verdict> {
  const known = await findPayment(db, entry.entryId)
  if (known && isSame(known, entry)) return { outcome: 'known', payment: known }
  if (known) return changed(db, entry)
  const reference = findReference(entry.remittance)
  const order = reference ? await findOrder(db, reference, { lock }) : undefined
  if (entry.direction === 'debit') return judgeDebit(db, entry, order, lock)
  const isVerified = order !== undefined && (await isVerifiedCustomer(db, order.userId))
  const outcome = judgePayment(entry, order && { ...order, isVerified })
  return outcome === 'matched' && order ? { outcome, order } : { outcome: outcome as UnmatchedReason, order }
}

/** A debit takes an order's payment back if it has the order's reference, or that of the payment's own entry. */
async function judgeDebit(db: Executor, entry: BankEntry, named: OrderRow | undefined, lock: boolean): Promise<Verdict> {
  const original = entry.takesBack ? await findPayment(db, entry.takesBack) : undefined
  const order = named ?? (original?.orderId ? await findOrder(db, original.orderId, { lock }) : undefined)
  return order ? { outcome: 'returned', order } : { outcome: 'debit' }
}

/** A known bank reference with different facts. Both entries are kept: the second under an id made from its facts. */
async function changed(db: Executor, entry: BankEntry): Promise<Verdict> {
  const entryId = `${entry.entryId}#${hashToken([entry.amountCents, entry.currency, entry.bookedOn, entry.remittance].join('\n')).slice(0, 10)}`
  const known = await findPayment(db, entryId)
  return known ? { outcome: 'known', payment: known } : { outcome: 'entry_changed', order: undefined, entryId }
}

function isSame(payment: Payment, entry: BankEntry): boolean {
  return (
    payment.amountCents === entry.amountCents &&
    payment.currency === entry.currency &&
    payment.remittance === entry.remittance &&
    payment.direction === entry.direction &&
    payment.bookedOn === entry.bookedOn
  )
}

async function findPayment(db: Executor, entryId: string): Promise<Payment | undefined> {
  const [payment] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.bankEntryId, entryId)))
  return payment
}
