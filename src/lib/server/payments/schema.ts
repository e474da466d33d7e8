/** Bank entries and statements, and decisions about payments. The database refuses to change or delete a payment or a decision. */
import { sql } from 'drizzle-orm'
import { type AnyPgColumn, bigint, boolean, check, date, index, pgTable, text, unique, uniqueIndex } from 'drizzle-orm/pg-core'
import { PAYMENT_OUTCOMES, type PaymentOutcome } from '#lib/domain/payments/match.ts'
import { orders } from '../orders/schema.ts'
import { amount, moment, oneOf, rowId } from '../platform/db/columns.ts'

/** Every entry of the bank's statement: matched to an order, or kept with the reason why not. */
export const payments = pgTable(
  'payments',
  {
    id: rowId(),
    /** Incoming (`credit`) or outgoing (`debit`) money. */
    direction: text('direction').$type<'credit' | 'debit'>().notNull().default('credit'),
    bankEntryId: text('bank_entry_id').notNull().unique('payments_bank_entry'),
    amountCents: amount('amount_cents').notNull(),
    currency: text('currency').notNull(),
    remittance: text('remittance').notNull(),
    payerName: text('payer_name').notNull(),
    payerIban: text('payer_iban').notNull(),
    /** The days on which the bank booked and valued it. */
    bookedOn: date('booked_on', { mode: 'string' }).notNull(),
    valueOn: date('value_on', { mode: 'string' }).notNull(),
    outcome: text('outcome').$type<PaymentOutcome>().notNull(),
    orderId: text('order_id').references(() => orders.id),
    /** Of a debit: the payment that it sends back. Of a payment: the debit that was read before it. */
    counterpartId: bigint('counterpart_id', { mode: 'bigint' }).references((): AnyPgColumn => payments.id),
    /** Received by version 0.1.0, which named entries differently and did not keep the booking day. */
    isLegacy: boolean('is_legacy').notNull().default(false),
    receivedAt: moment('received_at').notNull()
  },
  (table) => [
    index('payments_order').on(table.orderId),
    index('payments_counterpart').on(table.counterpartId),
    // An order is paid by one payment only.
    uniqueIndex('payments_one_match').on(table.orderId).where(sql`${table.outcome} = 'matched'`),
    check('payments_amounts', sql`${table.amountCents} > 0`),
    check('payments_direction_known', oneOf(table.direction, ['credit', 'debit'])),
    check('payments_outcome_known', oneOf(table.outcome, PAYMENT_OUTCOMES))
  ]
)

/** The balances that a statement names: the first opening balance is booked, the newest closing balance compared. */
export const bankStatements = pgTable(
  'bank_statements',
  {
    id: rowId(),
    /** The file or message that it came with. */
    cursor: text('cursor').notNull(),
    iban: text('iban').notNull(),
    statementId: text('statement_id').notNull(),
    openingCents: amount('opening_cents'),
    closingCents: amount('closing_cents'),
    /** The bank's balance by our books after its entries; null if the two were not compared. */
    bookedCents: amount('booked_cents'),
    receivedAt: moment('received_at').notNull()
  },
  (table) => [unique('bank_statements_once').on(table.cursor, table.iban, table.statementId)]
)

/**
 * An operator's decision about a payment that fits no order, one per payment. `assigned`: it pays the order. `refunded`: it goes
 * back to the payer, by a transfer that the operator makes at the bank.
 */
export const paymentDecisions = pgTable(
  'payment_decisions',
  {
    paymentId: bigint('payment_id', { mode: 'bigint' })
      .primaryKey()
      .references(() => payments.id),
    decision: text('decision').$type<'assigned' | 'refunded'>().notNull(),
    /** The order that it pays or, for a refund, the order that it named. */
    orderId: text('order_id').references(() => orders.id),
    /** Who decided, e.g. `staff:anna`, and why. */
    actor: text('actor').notNull(),
    why: text('why').notNull(),
    decidedAt: moment('decided_at').notNull()
  },
  (table) => [
    index('payment_decisions_order').on(table.orderId),
    check('payment_decisions_known', oneOf(table.decision, ['assigned', 'refunded']))
  ]
)
