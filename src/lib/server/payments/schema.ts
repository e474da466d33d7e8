/** Bank entries and statements, and decisions about payments. The database refuses to change or delete a payment or a decision. */
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex
} from 'drizzle-orm/pg-core'
import { PAYMENT_OUTCOMES, type PaymentOutcome } from '#lib/domain/payments/match.ts'
import { RECALL_ANSWERS, RECALL_REASONS, type RecallAnswer, type RecallReason } from '#lib/domain/payments/recall.ts'
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
    /** The day of the statement that told of it first: some entries are booked on another day. Null before release 8. */
    toldOn: date('told_on', { mode: 'string' }),
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
    // For the desk: the few that fit no order, and other payments of an account. `payments_told` served release 9, and goes with the next one.
    index('payments_apart').on(table.id).where(sql`${table.outcome} <> 'matched'`),
    // For a debit: the payments that it may send back.
    index('payments_amount').on(table.currency, table.amountCents),
    index('payments_account').on(table.payerIban),
    index('payments_told').on(sql`coalesce(${table.toldOn}, ${table.bookedOn})`),
    // An order is paid by one payment only.
    uniqueIndex('payments_one_match').on(table.orderId).where(sql`${table.outcome} = 'matched'`),
    check('payments_amounts', sql`${table.amountCents} > 0`),
    check('payments_direction_known', oneOf(table.direction, ['credit', 'debit'])),
    check('payments_outcome_known', oneOf(table.outcome, PAYMENT_OUTCOMES))
  ]
)

/**
 * What the statements of a day told of first, so that the list of days adds up no entry. The database adds each new entry (`sum_payments`);
 * `npm run ledger:verify` compares.
 */
export const bankDaySums = pgTable(
  'bank_day_sums',
  {
    day: date('day', { mode: 'string' }).notNull(),
    currency: text('currency').notNull(),
    inCents: amount('in_cents').notNull().default(sql`0`),
    outCents: amount('out_cents').notNull().default(sql`0`)
  },
  (table) => [primaryKey({ columns: [table.day, table.currency] })]
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
    /** The day of its closing balance; null of one that was read before release 8. */
    closedOn: date('closed_on', { mode: 'string' }),
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

/** The files of the bank: those of its folder, and those that staff upload. The worker reads an upload as it reads the folder. */
export const bankFiles = pgTable(
  'bank_files',
  {
    id: rowId(),
    name: text('name').notNull(),
    source: text('source').$type<'folder' | 'upload'>().notNull(),
    /** SHA-256 of an upload, hexadecimal: the same file is taken once. */
    digest: text('digest'),
    /** An upload, until it was received or given up. */
    content: text('content'),
    uploadedBy: text('uploaded_by'),
    /** The second person of an upload: nothing of it is read before. */
    acceptedBy: text('accepted_by'),
    acceptedAt: moment('accepted_at'),
    /** Given up by two persons: it is not read again. */
    closedAt: moment('closed_at'),
    addedAt: moment('added_at').notNull(),
    /** When all of it was received; what is wrong with it until then. */
    receivedAt: moment('received_at'),
    problems: jsonb('problems').$type<string[]>().notNull().default([])
  },
  (table) => [
    uniqueIndex('bank_files_once').on(table.digest).where(sql`${table.closedAt} is null`),
    index('bank_files_waiting').on(table.id).where(sql`${table.receivedAt} is null and ${table.closedAt} is null`),
    uniqueIndex('bank_files_folder').on(table.name).where(sql`${table.source} = 'folder'`),
    check('bank_files_source_known', oneOf(table.source, ['folder', 'upload'])),
    check('bank_files_accepted_by_another', sql`${table.acceptedBy} is null or ${table.acceptedBy} <> ${table.uploadedBy}`)
  ]
)

/** What became of each entry of a file. */
export const bankFileEntries = pgTable(
  'bank_file_entries',
  {
    fileId: bigint('file_id', { mode: 'bigint' })
      .notNull()
      .references(() => bankFiles.id),
    bankEntryId: text('bank_entry_id').notNull(),
    paymentId: bigint('payment_id', { mode: 'bigint' })
      .notNull()
      .references(() => payments.id),
    /** True if an earlier file had it. */
    wasKnown: boolean('was_known').notNull()
  },
  (table) => [primaryKey({ columns: [table.fileId, table.bankEntryId], name: 'bank_file_entries_pk' })]
)

/**
 * What staff decided about payments that fit no order. The desk writes them; the worker alone completes orders and books, and looks at every
 * rule again. `refused`: it was no longer possible, and nothing was booked.
 */
export const paymentInstructions = pgTable(
  'payment_instructions',
  {
    id: rowId(),
    kind: text('kind').$type<'assign' | 'refund'>().notNull(),
    paymentIds: bigint('payment_ids', { mode: 'bigint' }).array().notNull(),
    orderId: text('order_id').references(() => orders.id),
    /** Of a refund: the account that it goes to, and the document that names it if it is not the one that it came from. */
    creditorName: text('creditor_name'),
    creditorIban: text('creditor_iban'),
    document: text('document'),
    decidedBy: text('decided_by').notNull(),
    approvedBy: text('approved_by'),
    why: text('why').notNull(),
    decidedAt: moment('decided_at').notNull(),
    state: text('state').$type<'waiting' | 'done' | 'refused'>().notNull(),
    refusal: text('refusal'),
    doneAt: moment('done_at')
  },
  (table) => [
    index('payment_instructions_waiting').on(table.id).where(sql`${table.state} = 'waiting'`),
    index('payment_instructions_of').using('gin', table.paymentIds),
    check('payment_instructions_kind_known', oneOf(table.kind, ['assign', 'refund'])),
    check('payment_instructions_state_known', oneOf(table.state, ['waiting', 'done', 'refused'])),
    check('payment_instructions_by_another', sql`${table.approvedBy} is null or ${table.approvedBy} <> ${table.decidedBy}`),
    check('payment_instructions_refund', sql`${table.kind} <> 'refund' or ${table.approvedBy} is not null`)
  ]
)

/** Files of refunds for the bank (pain.001.001.09). */
export const refundFiles = pgTable(
  'refund_files',
  {
    id: rowId(),
    messageId: text('message_id').notNull().unique('refund_files_message'),
    xml: text('xml').notNull(),
    digest: text('digest').notNull(),
    transfers: integer('transfers').notNull(),
    sumCents: amount('sum_cents').notNull(),
    madeBy: text('made_by').notNull(),
    madeAt: moment('made_at').notNull(),
    downloadedBy: text('downloaded_by'),
    downloadedAt: moment('downloaded_at'),
    sentBy: text('sent_by'),
    sentAt: moment('sent_at'),
    /** Given up by two persons: its refunds come into another file. */
    cancelledAt: moment('cancelled_at')
  },
  (table) => [check('refund_files_sent_by_another', sql`${table.sentBy} is null or ${table.sentBy} <> ${table.madeBy}`)]
)

/** Refunds that go out by file: one per payment, for the whole of it or for what is above its order. */
export const refunds = pgTable(
  'refunds',
  {
    id: rowId(),
    paymentId: bigint('payment_id', { mode: 'bigint' })
      .notNull()
      .unique('refunds_payment')
      .references(() => payments.id),
    amountCents: amount('amount_cents').notNull(),
    creditorName: text('creditor_name').notNull(),
    creditorIban: text('creditor_iban').notNull(),
    /** By which the statement names the transfer. */
    endToEndId: text('end_to_end_id').notNull().unique('refunds_end_to_end'),
    document: text('document'),
    createdAt: moment('created_at').notNull(),
    fileId: bigint('file_id', { mode: 'bigint' }).references(() => refundFiles.id),
    /** True if the debit named it: the bank has carried out its file. */
    isNamed: boolean('is_named').notNull().default(false),
    /** The debit of the statement, and the entry by which the bank sent it back. */
    confirmedBy: bigint('confirmed_by', { mode: 'bigint' }).references(() => payments.id),
    returnedBy: bigint('returned_by', { mode: 'bigint' }).references(() => payments.id),
    /** The debit by which the bank took the whole payment back: nothing is owed any more. */
    voidBy: bigint('void_by', { mode: 'bigint' }).references(() => payments.id)
  },
  (table) => [
    index('refunds_file').on(table.fileId),
    index('refunds_open').on(table.id).where(sql`${table.confirmedBy} is null and ${table.voidBy} is null`),
    index('refunds_returned').on(table.returnedBy),
    check('refunds_amounts', sql`${table.amountCents} > 0`)
  ]
)

/** A payment that is left for now: until when, and why. `isTopUp`: the customer was asked to send the rest. Never changed. */
export const paymentLeaves = pgTable(
  'payment_leaves',
  {
    id: rowId(),
    paymentId: bigint('payment_id', { mode: 'bigint' })
      .notNull()
      .references(() => payments.id),
    until: date('until', { mode: 'string' }).notNull(),
    isTopUp: boolean('is_top_up').notNull(),
    actor: text('actor').notNull(),
    why: text('why').notNull(),
    at: moment('at').notNull()
  },
  (table) => [index('payment_leaves_payment').on(table.paymentId, table.id)]
)

/** The payer's bank asks for a payment back (camt.056). While it is open, nothing is decided about the payment. */
export const paymentRecalls = pgTable(
  'payment_recalls',
  {
    id: rowId(),
    paymentId: bigint('payment_id', { mode: 'bigint' })
      .notNull()
      .references(() => payments.id),
    reason: text('reason').$type<RecallReason>().notNull(),
    /** The bank's number of the case. */
    bankCase: text('bank_case').notNull(),
    openedBy: text('opened_by').notNull(),
    openedAt: moment('opened_at').notNull(),
    openedWhy: text('opened_why').notNull(),
    answer: text('answer').$type<RecallAnswer>(),
    answeredBy: text('answered_by'),
    answeredAt: moment('answered_at'),
    answerWhy: text('answer_why')
  },
  (table) => [
    uniqueIndex('payment_recalls_open').on(table.paymentId).where(sql`${table.answer} is null`),
    index('payment_recalls_payment').on(table.paymentId),
    check('payment_recalls_reason_known', oneOf(table.reason, RECALL_REASONS)),
    check('payment_recalls_answer_known', sql`${table.answer} is null or ${oneOf(table.answer, RECALL_ANSWERS)}`)
  ]
)
