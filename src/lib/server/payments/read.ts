/** Reads the bank: every batch since the cursor, entry by entry, with the opening and closing balances. */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { house, houseBalance, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { claimCursor, keepCursor, readCursor } from '../platform/db/cursors.ts'
import { isDatabaseLost } from '../platform/db/faults.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { describeError } from '../platform/log.ts'
import { transact } from '../platform/transaction.ts'
import { utcDay } from '../rates/index.ts'
import { booksAt, fileOf, keepFileEntry, settleFile, UPLOAD_JOB, withUploads } from './bankFiles.ts'
import { matchEntry, type Payment } from './match.ts'
import type { Bank, BankBatch, BankEntry, BankStatement } from './port.ts'
import { type PaymentPorts, receiveEntry, receiveMany } from './receive.ts'
import { bankStatements, payments } from './schema.ts'

const CURSOR = 'bank'
const OPENING = 'bank-opening'
const EVERY_SECONDS = 60
const EUR = 'EUR'

export async function readBank(context: Context, bank: Bank, ports: PaymentPorts): Promise<void> {
  const batches = await bank.entriesSince(await readCursor(context.db, CURSOR))
  for (const batch of batches) {
    const { id: fileId, isClosed } = await fileOf(context.db, batch, context.clock())
    if (isClosed) {
      await batch.settle([])
      continue
    }
    const problems = [...batch.problems, ...(await receiveBatch(context, ports, batch, fileId))]
    await settleFile(context.db, fileId, problems, context.clock())
    await keepCursor(context.db, CURSOR, batch.cursor, context.clock())
    // The entries are booked; failing to put the batch away must not block the next ones.
    await batch.settle(problems).catch((error: unknown) => {
      context.log.error({ cursor: batch.cursor, err: error }, 'bank batch not put away')
    })
    // Only what was received completely can agree with the bank.
    const newest = problems.length === 0 ? batch.statements.at(-1) : undefined
    if (newest) await compareClosing(context, { cursor: batch.cursor, ...newest })
  }
}

/** The problems with it. Whatever is wrong with one batch, the others are read. */
async function receiveBatch(
  context: Context,
  ports: PaymentPorts,
  { cursor, statements }: BankBatch,
  fileId: bigint
): Promise<string[]> {
  const problems: string[] = []
  const seen = new Map<string, number>()
  try {
    for (const statement of statements) {
      const found = await receiveStatement(context, ports, { fileId, ...statement })
      problems.push(...found.problems)
      // Two statements of one file may have one id.
      const count = seen.get(statement.statementId) ?? 0
      seen.set(statement.statementId, count + 1)
      const statementId = count === 0 ? statement.statementId : `${statement.statementId}#${count}`
      if (found.isReceived) await keepBalances(context, { cursor, ...statement, statementId })
    }
  } catch (error) {
    if (isDatabaseLost(error)) throw error
    context.log.error({ cursor, err: error }, 'a batch of the bank could not be received')
    problems.push(`It could not be received: ${describeError(error).message}`)
  }
  return problems
}

type Named = BankStatement & { cursor: string }
type OfFile = BankStatement & { fileId: bigint }

const isReadable = (entry: BankStatement['entries'][number]): entry is BankEntry => !('unreadable' in entry)
const signed = ({ direction, amountCents }: BankEntry) => (direction === 'credit' ? amountCents : -amountCents)

/** Receives what it can and returns the problems with the rest. */
async function receiveStatement(
  context: Context,
  ports: PaymentPorts,
  statement: OfFile
): Promise<{ problems: string[]; isReceived: boolean }> {
  const problems = [...statement.problems, ...checkSum(statement)]
  for (const entry of statement.entries) if (!isReadable(entry)) problems.push(entry.unreadable)
  const early = await beforeTheFirst(context.db, statement)
  if (early) return { problems: [...problems, early], isReceived: false }
  await bookOpening(context, statement)
  // Credits first, so that a debit finds the payment that it takes back.
  const entries = statement.entries.filter(isReadable)
  const known = await paymentsOf(context.db, entries)
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
  await keepFileEntries(context.db, statement.fileId, entries, known)
  return { problems, isReceived: true }
}

const AT_ONCE = 500

/** Payments of these entries by their ids; one that is kept under another id is looked up by itself. */
async function paymentsOf(db: Executor, entries: BankEntry[]): Promise<Map<string, Payment>> {
  const found = new Map<string, Payment>()
  const [legacy] = await db.select({ id: payments.id }).from(payments).where(eq(payments.isLegacy, true)).limit(1)
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    const part = entries.slice(at, at + AT_ONCE)
    const rows = await db
      .select()
      .from(payments)
      .where(
        inArray(
          payments.bankEntryId,
          part.map(({ entryId }) => entryId)
        )
      )
    const byId = new Map(rows.map((row) => [row.bankEntryId, row]))
    for (const entry of part) {
      const row = byId.get(entry.entryId)
      if (row?.amountCents === entry.amountCents && row.remittance === entry.remittance) found.set(entry.entryId, row)
      else if (row || legacy || entry.among) {
        const verdict = await matchEntry(db, entry)
        if (verdict.outcome === 'known') found.set(entry.entryId, verdict.payment)
      }
    }
  }
  return found
}

/** What became of each entry; one that was not received has no row, and is among the problems of the file. */
async function keepFileEntries(db: Executor, fileId: bigint, entries: BankEntry[], known: Map<string, Payment>): Promise<void> {
  const now = await paymentsOf(db, entries)
  for (const [entryId, { id }] of now) await keepFileEntry(db, fileId, entryId, { paymentId: id, wasKnown: known.has(entryId) })
}

/**
 * The first statement that was ever read brought the balance from before it: entries of earlier days are in that balance already, and would be
 * booked twice.
 */
async function beforeTheFirst(db: Executor, { statementId, closedOn, closingCents }: BankStatement): Promise<string | undefined> {
  if (closedOn === undefined) return undefined
  const first = await readCursor(db, OPENING)
  if (first === undefined) return undefined
  const [kept] = await db
    .select({
      closedOn: bankStatements.closedOn,
      openingCents: bankStatements.openingCents,
      statementId: bankStatements.statementId
    })
    .from(bankStatements)
    .where(sql`${bankStatements.iban} || '/' || ${bankStatements.statementId} = ${first}`)
    .orderBy(asc(bankStatements.id))
    .limit(1)
  if (!kept?.closedOn || kept.statementId === statementId || closedOn > kept.closedOn) return undefined
  // Of the same day it is before the first one only if it ends where that begins.
  if (closedOn === kept.closedOn && closingCents !== kept.openingCents) return undefined
  return `Statement ${statementId} of ${closedOn} is of before the first one that was read: its entries are in the opening balance`
}

/** Received in one transaction, with one call of the ledger. */
const TOGETHER = 25

async function receiveAlone(context: Context, ports: PaymentPorts, entry: BankEntry): Promise<string[]> {
  try {
    await receiveEntry(context, ports, entry)
    return []
  } catch (error) {
    if (isDatabaseLost(error)) throw error
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

/**
 * Books, once, the balance from before the first statement that names one, so that the books and the bank can be compared. Entries
 * of this statement that were received earlier are not part of that balance.
 */
async function bookOpening(context: Context, { iban, openingCents, statementId, entries }: BankStatement): Promise<void> {
  if (openingCents === undefined) return
  if ((await readCursor(context.db, OPENING)) !== undefined) return
  await transact(context, async ({ tx, now }) => {
    if (!(await claimCursor(tx, OPENING, `${iban}/${statementId}`, now))) return
    let booked = -(await houseBalance(tx, 'bank', EUR))
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

async function keepBalances({ db, clock }: Context, { cursor, iban, statementId, ...statement }: Named): Promise<void> {
  const { openingCents = null, closingCents = null, closedOn = null } = statement
  await db
    .insert(bankStatements)
    .values({ cursor, iban, statementId, openingCents, closingCents, closedOn, receivedAt: clock() })
    .onConflictDoNothing()
}

/**
 * Logs an error if the bank's closing balance differs from the books of that day: something was not delivered or not read. An older statement
 * that comes late is compared with the books of its own day.
 */
async function compareClosing(context: Context, { cursor, iban, statementId, closingCents, closedOn }: Named): Promise<void> {
  if (closingCents === undefined) return
  const bookedCents = await booksAt(context.db, closedOn ?? utcDay(context.clock()))
  if (bookedCents !== closingCents) {
    const figures = { bank: String(closingCents), books: String(bookedCents) }
    context.log.error({ iban, statementId, ...figures }, 'the closing balance of the bank is not that of the books')
  }
  await context.db
    .update(bankStatements)
    .set({ bookedCents })
    .where(and(eq(bankStatements.cursor, cursor), eq(bankStatements.iban, iban), eq(bankStatements.statementId, statementId)))
}

/** Reads the bank each minute, and at once after an upload. */
export function bankJobs(context: Context, bank: Bank, ports: PaymentPorts): JobKind[] {
  const run = () => readBank(context, withUploads(bank, context.db), ports)
  return [
    { name: 'bank', role: 'worker', everySeconds: EVERY_SECONDS, run },
    { name: UPLOAD_JOB, role: 'worker', run }
  ]
}
