import { eq, sql } from 'drizzle-orm'
import { holdWithdrawals, users } from '../access/index.ts'
import { type Booking, house, post, postMany, stockFor, type Transfer, withStock } from '../ledger/index.ts'
import {
  completeUnbooked,
  type OnOrderCompleted,
  type OrderRow,
  orderLink,
  type PriceOfDay,
  priceOfDay
} from '../orders/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { databaseError } from '../platform/db/faults.ts'
import { UnavailableError } from '../platform/errors.ts'
import { mailTo } from '../platform/mail/job.ts'
import { transact, type Work } from '../platform/transaction.ts'
import type { RatesSource } from '../rates/index.ts'
import type { CreditorScreen, PayerScreen } from '../screening/index.ts'
import { hasUnexplainedReturn, matchEntry, type Payment, type Verdict } from './match.ts'
import type { BankEntry } from './port.ts'
import { confirmRefund, keepReturned, voidRefund } from './refunds.ts'
import { payments } from './schema.ts'
import { refreshUnfit, tellUnfit } from './unfit.ts'

/** Lets other features undo what they gave for an order whose payment was taken back. A repeat changes nothing. */
export type OnPaymentTakenBack = (context: Context, work: Work, order: OrderRow) => Promise<void>
/** `screenPayer`: whether the name of a payer may pay an order. `screenCreditor`: looks up whom a refund to another account goes to. */
export type PaymentHooks = {
  onOrderCompleted: OnOrderCompleted
  onPaymentTakenBack: OnPaymentTakenBack
  screenPayer: PayerScreen
  screenCreditor: CreditorScreen
}
export type PaymentPorts = PaymentHooks & { rates: RatesSource }

const BANK = systemActor('bank')
/** How long a batch of entries waits for an order before each is received alone. */
const LOCK_TIMEOUT_MS = 300

type Judged = Exclude<Verdict, { outcome: 'known' }>

/** Lets bank entries and decisions take turns, until the transaction ends: each depends on the outcome of the others. */
export async function oneAtATime({ tx }: Work): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('payments', 0))`)
}

/**
 * Books a bank entry once, however often it is delivered. The exact amount of an open order completes it; other
 * incoming money is kept in suspense with its reason, and outgoing money is taken from there. All in one transaction.
 */
export async function receiveEntry(context: Context, ports: PaymentPorts, entry: BankEntry): Promise<Payment> {
  try {
    return await receiveOnce(context, ports, entry)
  } catch (error) {
    if (databaseError(error).constraint !== 'payments_bank_entry') throw error
    // Another process has just booked the same entry; now it is known.
    return await receiveOnce(context, ports, entry)
  }
}

async function receiveOnce(context: Context, ports: PaymentPorts, entry: BankEntry): Promise<Payment> {
  // Ask for the price before the transaction, so that no rows are locked during the request, and only if an order is completed.
  const expected = await matchEntry(context.db, entry)
  const price = expected.outcome === 'matched' ? await priceOfDay(context, ports.rates, entry.bookedOn) : undefined
  // Before the transaction, too: it may ask a service.
  const mayPay = expected.outcome === 'matched' ? await screenOf(context, ports, entry, expected.order) : undefined
  return transact(context, async (work) => {
    await oneAtATime(work)
    const found = await matchEntry(work.tx, entry, { lock: true })
    // It became payable between the two looks: fail, so that the entry is delivered again.
    if (found.outcome === 'matched' && !mayPay)
      throw new UnavailableError(`The payer of order ${found.order.id} was not looked at`)
    const verdict = screened(found, mayPay ?? 'wait')
    if (verdict.outcome === 'known') return verdict.payment
    const { payment, booking } = await keep(context, work, ports, { entry, verdict, price })
    await post(work.tx, { ...booking, transfers: await withStock(work.tx, booking.transfers) })
    await holdIfTakenBack(context, work, ports, verdict, payment.bankEntryId)
    return payment
  })
}

const screenOf = (
  context: Context,
  { screenPayer }: PaymentPorts,
  { payerName, payerIban, amountCents }: BankEntry,
  { userId }: OrderRow
) => screenPayer(context, { userId, name: payerName, iban: payerIban, euroCents: amountCents })

/** A payment whose payer must be looked at pays nothing: it waits in suspense until that is decided. */
function screened(verdict: Verdict, mayPay: 'go' | 'wait'): Verdict {
  if (verdict.outcome !== 'matched' || mayPay === 'go') return verdict
  return { outcome: 'in_review', order: verdict.order, counterpart: verdict.counterpart }
}

/**
 * Receives the first of these incoming entries in one transaction, with one call of the ledger, and returns how many. It ends before one
 * that another entry took back: that one is received alone. If something fails, it has received none, and throws.
 */
export async function receiveMany(context: Context, ports: PaymentPorts, entries: BankEntry[]): Promise<number> {
  const prices = new Map<string, PriceOfDay>()
  // By the entry itself, not by its id: what was said about one payer must not let another one's payment through.
  const looked = new Map<BankEntry, 'go' | 'wait'>()
  for (const entry of entries) {
    const expected = await matchEntry(context.db, entry)
    if (expected.outcome !== 'matched') continue
    if (!prices.has(entry.bookedOn)) prices.set(entry.bookedOn, await priceOfDay(context, ports.rates, entry.bookedOn))
    looked.set(entry, await screenOf(context, ports, entry, expected.order))
  }
  return transact(context, async (work) => {
    await oneAtATime(work)
    // One order that somebody has locked must not hold up the customers of the others.
    await work.tx.execute(sql`set local lock_timeout = ${sql.raw(`'${LOCK_TIMEOUT_MS}ms'`)}`)
    const bookings: Booking[] = []
    let received = 0
    for (const entry of entries) {
      const found = await matchEntry(work.tx, entry, { lock: true })
      // It became payable meanwhile, and nobody has looked at its payer: alone.
      if (found.outcome === 'matched' && !looked.has(entry)) break
      const verdict = screened(found, looked.get(entry) ?? 'wait')
      if (verdict.outcome !== 'known') {
        if (await isTakenBack(work, verdict)) break
        bookings.push((await keep(context, work, ports, { entry, verdict, price: prices.get(entry.bookedOn) })).booking)
      }
      received += 1
    }
    await bookAll(work, bookings)
    return received
  })
}

/** Books all of them, with what they need of the stock, or throws. */
async function bookAll({ tx }: Work, bookings: Booking[]): Promise<void> {
  const [first, ...others] = bookings
  if (!first) return
  const needed = await stockFor(
    tx,
    bookings.flatMap(({ transfers }) => transfers)
  )
  const outcomes = await postMany(tx, [{ ...first, transfers: [...needed, ...first.transfers] }, ...others])
  const refused = outcomes.flatMap(({ refused: why }, at) => (why ? [`${bookings[at]?.reference}: ${why}`] : []))
  if (refused.length > 0) throw new Error(`Bank entries were not booked: ${refused.join(', ')}`)
}

type Received = { entry: BankEntry; verdict: Judged; price: PriceOfDay | undefined }

/** Stores a payment and everything that follows from it; the booking is returned, and booked by the caller. */
async function keep(context: Context, work: Work, ports: PaymentPorts, { entry, verdict, price }: Received) {
  const entryId = ('entryId' in verdict && verdict.entryId) || entry.entryId
  const payment = await insertPayment(work, { ...entry, entryId }, verdict)
  const booking =
    verdict.outcome === 'matched'
      ? await complete(context, work, ports, verdict.order, entry, price)
      : bookingApart(work, { ...entry, entryId }, verdict)
  if (entry.direction === 'credit' && verdict.order) await tellUnfit(context, work, payment, verdict.order)
  if (verdict.outcome === 'refund' && verdict.counterpart)
    await confirmRefund(work, verdict.counterpart.payment, payment, entry.endToEndId?.startsWith('REFUND') ?? false)
  if (verdict.outcome === 'returned' && verdict.counterpart) await voidRefund(work, verdict.counterpart.payment, payment)
  if ('returns' in verdict && verdict.returns) await keepReturned(context, work, verdict.returns, payment)
  if (entry.direction === 'debit')
    for (const id of new Set([verdict.order?.id, ...(verdict.counterpart?.orderIds ?? [])])) if (id) await refreshUnfit(work, id)
  const isOddRefund = entry.endToEndId?.startsWith('REFUND') && verdict.outcome === 'debit'
  if (verdict.outcome === 'returned' || verdict.outcome === 'entry_changed' || isOddRefund)
    context.log.error({ entryId, outcome: verdict.outcome }, 'a bank entry needs an operator')
  return { payment, booking }
}

async function insertPayment({ tx, now }: Work, entry: BankEntry, verdict: Judged): Promise<Payment> {
  const [payment] = await tx
    .insert(payments)
    .values({
      bankEntryId: entry.entryId,
      direction: entry.direction,
      amountCents: entry.amountCents,
      currency: entry.currency,
      remittance: entry.remittance,
      payerName: entry.payerName,
      payerIban: entry.payerIban,
      bookedOn: entry.bookedOn,
      valueOn: entry.valueOn,
      toldOn: entry.toldOn ?? null,
      outcome: verdict.outcome,
      orderId: verdict.order?.id ?? null,
      counterpartId: verdict.counterpart?.payment.id ?? null,
      receivedAt: now
    })
    .returning()
  if (!payment) throw new Error('The database returned no payment row')
  return payment
}

async function complete(
  context: Context,
  work: Work,
  { onOrderCompleted }: PaymentPorts,
  order: OrderRow,
  { bookedOn }: BankEntry,
  price: PriceOfDay | undefined
): Promise<Booking> {
  // The order became payable between the two checks: fail, so that the entry is delivered again.
  if (!price) throw new UnavailableError(`No price was asked for order ${order.id}`)
  return completeUnbooked(context, work, { order, bookedOn, price, actor: BANK, onOrderCompleted })
}

/** Incoming money without an order goes into suspense; outgoing money from there, or from what is owed back to payers. */
function bookingApart({ now }: Work, entry: BankEntry, { outcome, counterpart }: Judged): Booking {
  const { currency, amountCents: amount } = entry
  const unsent = outcome === 'returned' ? (counterpart?.surplusCents ?? 0n) : 0n
  // A payment that is taken back as a whole includes its surplus, which is then no longer owed.
  const owed: Transfer = { source: house('refunds'), destination: house('suspense'), currency, amount: unsent }
  const came: Transfer = { source: house('bank'), destination: house('suspense'), currency, amount }
  const went: Transfer = {
    source: house(outcome === 'refund' ? 'refunds' : 'suspense'),
    destination: house('bank'),
    currency,
    amount
  }
  return {
    reason:
      outcome === 'returned'
        ? 'payment_returned'
        : outcome === 'debit' || outcome === 'refund'
          ? 'bank_debit'
          : 'payment_unmatched',
    source: { type: 'payment', id: entry.entryId },
    reference: `payment:${entry.entryId}`,
    actor: BANK,
    transfers: [entry.direction === 'debit' ? went : came, ...(unsent > 0n ? [owed] : [])],
    at: now
  }
}

/**
 * Blocks the withdrawals of a customer who has tokens from a payment that was taken back, until an operator has reviewed the case.
 * The bank may report the return before the payment.
 */
async function holdIfTakenBack(
  context: Context,
  work: Work,
  ports: PaymentPorts,
  verdict: Judged,
  entryId: string
): Promise<void> {
  if (verdict.order && (await isTakenBack(work, verdict))) await holdFor(context, work, ports, verdict.order, entryId)
}

/** True if a customer has tokens from a payment that was taken back. */
async function isTakenBack({ tx }: Work, { outcome, order, counterpart }: Judged): Promise<boolean> {
  if (!order) return false
  if (outcome === 'returned') return order.completedAt !== null
  return outcome === 'matched' && (counterpart !== undefined || (await hasUnexplainedReturn(tx, order.id)))
}

export async function holdFor(
  context: Context,
  work: Work,
  { onPaymentTakenBack }: PaymentPorts,
  order: OrderRow,
  entryId: string
): Promise<void> {
  await onPaymentTakenBack(context, work, order)
  await holdWithdrawals(work, { userId: order.userId, reason: 'payment_returned', sourceType: 'payment', sourceId: entryId })
  const [customer] = await work.tx.select().from(users).where(eq(users.id, order.userId))
  if (customer) await work.enqueue(mailTo(customer, 'paymentReturned', { orderId: order.id, link: orderLink(context, order.id) }))
}
