/** Refunds that go out by file: made with the decision, confirmed by the statement, and sent back by a bank that refuses them. */
import { and, eq, isNull } from 'drizzle-orm'
import { electronicFormatIBAN, isSEPACountry, isValidIBAN } from 'ibantools'
import { sepaName } from '#lib/domain/payments/sepa.ts'
import { formatReceived } from '#lib/format/payments/received.ts'
import { users } from '../access/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import type { Context } from '../platform/context.ts'
import { randomToken } from '../platform/crypto.ts'
import type { Executor } from '../platform/db/client.ts'
import { mailTo } from '../platform/mail/job.ts'
import type { Work } from '../platform/transaction.ts'
import type { Payment, Refund } from './match.ts'
import { payments, refunds } from './schema.ts'

/** The account that a refund goes to. `document`: what names it, if it is not the account that the payment came from. */
export type Creditor = { name: string; iban: string; document?: string | undefined }

export const creditorOf = ({ payerName: name, payerIban: iban }: Payment): Creditor => ({ name, iban })

/** True if a file for the bank can name this account, in euro. Otherwise somebody makes the transfer at the bank, by hand. */
export function isTransferable({ name, iban }: Creditor, currency: string): boolean {
  const plain = electronicFormatIBAN(iban) ?? ''
  return currency === 'EUR' && sepaName(name) !== '' && isValidIBAN(plain) && isSEPACountry(plain.slice(0, 2))
}

/** Keeps what is owed as a transfer of the next file. Nothing for an account that no file can name. */
export async function keepRefund({ tx, now }: Work, payment: Payment, amountCents: bigint, creditor: Creditor): Promise<void> {
  if (!isTransferable(creditor, payment.currency) || amountCents > MOST_CENTS) return
  await tx.insert(refunds).values({
    paymentId: payment.id,
    amountCents,
    creditorName: creditor.name,
    creditorIban: electronicFormatIBAN(creditor.iban) ?? '',
    // The payee knows it: it must not tell the names of others.
    endToEndId: `REFUND${payment.id}X${randomToken()
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 12)}`,
    document: creditor.document ?? null,
    createdAt: now
  })
}

/** The largest amount of a SEPA transfer. */
const MOST_CENTS = 99_999_999_999n

/** The bank took the whole payment back: nothing of it is owed any more. */
export async function voidRefund({ tx }: Work, payment: Payment, debit: Payment): Promise<void> {
  await tx
    .update(refunds)
    .set({ voidBy: debit.id })
    .where(and(eq(refunds.paymentId, payment.id), isNull(refunds.confirmedBy), isNull(refunds.voidBy)))
}

/** The statement shows that the bank has sent it. `isNamed`: by the name of the transfer, so from its file. */
export async function confirmRefund({ tx }: Work, payment: Payment, debit: Payment, isNamed: boolean): Promise<void> {
  await tx
    .update(refunds)
    .set({ confirmedBy: debit.id, isNamed })
    .where(and(eq(refunds.paymentId, payment.id), isNull(refunds.confirmedBy)))
}

/** The order that a payment named; of a refund that came back, that of its first payment. */
export async function orderOf(db: Executor, { id, orderId }: Pick<Payment, 'id' | 'orderId'>): Promise<OrderRow | undefined> {
  if (orderId) return findOrder(db, orderId, { lock: false })
  const [first] = await db
    .select({ id: payments.id, orderId: payments.orderId })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.returnedBy, id))
  return first && orderOf(db, first)
}

/** The bank sent it back: the money is in suspense again, and the customer is asked for another account. */
export async function keepReturned(context: Context, work: Work, refund: Refund, entry: Payment): Promise<void> {
  await work.tx.update(refunds).set({ returnedBy: entry.id }).where(eq(refunds.id, refund.id))
  context.log.error({ refund: refund.endToEndId, entryId: entry.bankEntryId }, 'the bank sent a refund back')
  const [payment] = await work.tx.select().from(payments).where(eq(payments.id, refund.paymentId))
  const order = payment && (await orderOf(work.tx, payment))
  if (!order) return
  const [customer] = await work.tx.select().from(users).where(eq(users.id, order.userId))
  await work.enqueue(mailTo(customer, 'refundReturned', { orderId: order.id, amount: formatReceived(entry) }))
}
