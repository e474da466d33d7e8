/** Reads the bank: every batch since the cursor, entry by entry, with the opening and closing balances. */
import { and, eq } from 'drizzle-orm'
import { house, houseBalance, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { claimCursor, keepCursor, readCursor } from '../platform/db/cursors.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { describeError } from '../platform/log.ts'
import { transact } from '../platform/transaction.ts'
import { matchEntry } from './match.ts'
import type { Bank, BankEntry, BankStatement } from './port.ts'
import { type PaymentPorts, receiveEntry, receiveMany } from './receive.ts'
import { bankStatements } from './schema.ts'

const CURSOR = 'bank'
const OPENING = 'bank-opening'
const EVERY_SECONDS = 60
const EUR = 'EUR'

export async function readBank(context: Context, bank: Bank, ports: PaymentPorts): Promise<void> {
  const batches = await bank.entriesSince(await readCursor(context.db, CURSOR))
  let newest: Named | undefined
  let isComplete = true
  for (const batch of batches) {
    const problems = [...batch.problems]
    for (const statement of batch.statements) {
      problems.push(...(await receiveStatement(context, ports, statement)))
      newest = { cursor: batch.cursor, ...statement }
      await keepBalances(context, newest)
    }
    isComplete &&= problems.length === 0
    await keepCursor(context.db, CURSOR, batch.cursor, context.clock())
    // The entries are booked; failing to put the batch away must not block the next ones.
    await batch.settle(problems).catch((error: unknown) => {
      context.log.error({ cursor: batch.cursor, err: error }, 'bank batch not put away')
    })
  }
  // Only after everything was received can the books match the bank's newest balance.
  if (newest && isComplete) await compareClosing(context, newest)
}

type Named = BankStatement & { cursor: string }

const isReadable = (entry: BankStatement['entries'][number]): entry is BankEntry => !('unreadable' in entry)
const signed = ({ direction, amountCents }: BankEntry) => (direction === 'credit' ? amountCents : -amountCents)

/** Receives what it can and returns the problems with the rest. */
async function receiveStatement(context: Context, ports: PaymentPorts, statement: BankStatement): Promise<string[]> {
  const problems = [...statement.problems, ...checkSum(statement)]
  for (const entry of statement.entries) if (!isReadable(entry)) problems.push(entry.unreadable)
  await bookOpening(context, statement)
  // Credits first, so that a debit finds the payment that it takes back.
  const entries = statement.entries.filter(isReadable)
  const credits = entries.filter(isCredit)
  for (let at = 0; at < credits.length; ) {
    const together = credits.slice(at, at + TOGETHER)
    const received = await receiveMany(context, ports, together).catch((error: unknown) => {
      context.log.warn({ err: error, entries: together.length }, 'bank entries are received one by one')
      return undefined
    })
    // The one that could not be received with the others, or all of them.
    const alone = received === undefined ? together : together.slice(received, received + 1)
    for (const entry of alone) problems.push(...(await receiveAlone(context, ports, entry)))
    at += (received ?? 0) + alone.length
  }
  for (const entry of entries.filter((one) => !isCredit(one))) problems.push(...(await receiveAlone(context, ports, entry)))
  return problems
}

/** Received in one transaction, with one call of the ledger. */
const TOGETHER = 25

async function receiveAlone(context: Context, ports: PaymentPorts, entry: BankEntry): Promise<string[]> {
  try {
    await receiveEntry(context, ports, entry)
    return []
  } catch (error) {
    context.log.error({ entryId: entry.entryId, err: error }, 'bank entry not received')
    return [`Entry ${entry.entryId} was not received: ${describeError(error).message}`]
  }
}

const isCredit = ({ direction }: BankEntry) => direction === 'credit'

/** The entries must make up the difference of the statement's two balances; otherwise the bank left one out. */
function checkSum({ statementId, openingCents, closingCents, entries }: BankStatement): string[] {
  if (openingCents === undefined || closingCents === undefined || !entries.every(isReadable)) return []
  const found = entries.filter(isReadable).reduce((sum, entry) => sum + signed(entry), openingCents)
  if (found === closingCents) return []
  return [`Statement ${statementId}: opening balance and entries make ${found} cents, its closing balance is ${closingCents}`]
}

/** The bank's balance by our books, which hold it as a negative balance of the account `bank`. */
async function booksSay(db: Executor): Promise<bigint> {
  return -(await houseBalance(db, 'bank', EUR))
}

/**
 * Books, once, the balance from before the first statement that names one, so that the books and the bank can be compared. Entries
 * of this statement that were received earlier are not part of that balance.
 */
async function bookOpening(context: Context, { iban, openingCents, statementId, entries }: BankStatement): Promise<void> {
  if (openingCents === undefined) return
  if ((await readCursor(context.db, OPENING)) !== undefined) return
  await transact(context, async ({ tx, now }) => {
    if (!(await claimCursor(tx, OPENING, `${iban}/${statementId}`, now))) return
    let booked = await booksSay(tx)
    for (const entry of entries.filter(isReadable)) {
      if ((await matchEntry(tx, entry)).outcome === 'known') booked -= signed(entry)
    }
    const missing = openingCents - booked
    if (missing === 0n) return
    const [source, destination] = missing > 0n ? [house('bank'), house('treasury')] : [house('treasury'), house('bank')]
    await post(tx, {
      reason: 'bank_opening_balance',
      source: { type: 'bank_statement', id: `${iban}/${statementId}` },
      reference: `bank_opening:${iban}`,
      actor: systemActor('bank'),
      transfers: [{ source, destination, currency: EUR, amount: missing > 0n ? missing : -missing }],
      at: now
    })
  })
}

async function keepBalances({ db, clock }: Context, { cursor, iban, statementId, ...balances }: Named): Promise<void> {
  const { openingCents = null, closingCents = null } = balances
  await db
    .insert(bankStatements)
    .values({ cursor, iban, statementId, openingCents, closingCents, receivedAt: clock() })
    .onConflictDoNothing()
}

/** Logs an error if the bank's closing balance differs from the books: something was not delivered or not read. */
async function compareClosing(context: Context, { cursor, iban, statementId, closingCents }: Named): Promise<void> {
  if (closingCents === undefined) return
  const bookedCents = await booksSay(context.db)
  if (bookedCents !== closingCents) {
    const figures = { bank: String(closingCents), books: String(bookedCents) }
    context.log.error({ iban, statementId, ...figures }, 'the closing balance of the bank is not that of the books')
  }
  await context.db
    .update(bankStatements)
    .set({ bookedCents })
    .where(and(eq(bankStatements.cursor, cursor), eq(bankStatements.iban, iban), eq(bankStatements.statementId, statementId)))
}

export function bankJob(context: Context, bank: Bank, ports: PaymentPorts): JobKind {
  return { name: 'bank', role: 'worker', everySeconds: EVERY_SECONDS, run: () => readBank(context, bank, ports) }
}
