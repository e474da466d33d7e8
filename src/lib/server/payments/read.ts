/** Reads the bank: every batch since the cursor, entry by entry, with the balances that frame it. */
import { eq } from 'drizzle-orm'
import { house, houseBalance, post } from '../ledger/index.ts'
import { systemActor } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import { cursors } from '../platform/db/schema.ts'
import type { JobKind } from '../platform/jobs/kinds.ts'
import { describeError } from '../platform/log.ts'
import { transact } from '../platform/transaction.ts'
import type { Bank, BankBatch, BankStatement } from './port.ts'
import { type PaymentPorts, receiveEntry } from './receive.ts'
import { bankStatements } from './schema.ts'

const CURSOR = 'bank'
const EVERY_SECONDS = 60
const EUR = 'EUR'

export async function readBank(context: Context, bank: Bank, ports: PaymentPorts): Promise<void> {
  const [known] = await context.db.select().from(cursors).where(eq(cursors.name, CURSOR))
  for (const batch of await bank.entriesSince(known?.value)) {
    const problems = [...batch.problems]
    for (const statement of batch.statements) problems.push(...(await receiveStatement(context, ports, batch, statement)))
    await keepCursor(context, batch.cursor)
    await batch.settle(problems)
  }
}

/** Receives what it can and returns the problems with the rest. */
async function receiveStatement(
  context: Context,
  ports: PaymentPorts,
  batch: BankBatch,
  statement: BankStatement
): Promise<string[]> {
  const problems: string[] = []
  await bookOpening(context, statement)
  for (const entry of statement.entries) {
    if ('unreadable' in entry) problems.push(entry.unreadable)
    else {
      await receiveEntry(context, ports, entry).catch((error: unknown) => {
        context.log.error({ entryId: entry.entryId, err: error }, 'bank entry not received')
        problems.push(`Entry ${entry.entryId} was not received: ${describeError(error).message}`)
      })
    }
  }
  await compareClosing(context, batch, statement)
  return problems
}

/** Our books count what the bank owes us as a negative balance of the account `bank`. */
async function booksSay({ db }: Context): Promise<bigint> {
  return -(await houseBalance(db, 'bank', EUR))
}

/** Books the balance from before the first statement, once, so that the books and the bank can be compared. */
async function bookOpening(context: Context, { iban, openingCents, statementId }: BankStatement): Promise<void> {
  if (openingCents === undefined) return
  const [first] = await context.db
    .select({ id: bankStatements.id })
    .from(bankStatements)
    .where(eq(bankStatements.iban, iban))
    .limit(1)
  const missing = openingCents - (await booksSay(context))
  if (first || missing === 0n) return
  const [source, destination] = missing > 0n ? [house('bank'), house('treasury')] : [house('treasury'), house('bank')]
  await transact(context, ({ tx, now }) =>
    post(tx, {
      reason: 'bank_opening_balance',
      source: { type: 'bank_statement', id: `${iban}/${statementId}` },
      reference: `bank_opening:${iban}`,
      actor: systemActor('bank'),
      transfers: [{ source, destination, currency: EUR, amount: missing > 0n ? missing : -missing }],
      at: now
    })
  )
}

/** Logs an error if the bank's closing balance differs from the books: something was not delivered, or not read. */
async function compareClosing(context: Context, { cursor }: BankBatch, statement: BankStatement): Promise<void> {
  const { iban, statementId, openingCents = null, closingCents = null } = statement
  const bookedCents = closingCents === null ? null : await booksSay(context)
  if (bookedCents !== closingCents) {
    const figures = { bank: String(closingCents), books: String(bookedCents) }
    context.log.error({ iban, statementId, ...figures }, 'the closing balance of the bank is not that of the books')
  }
  const facts = { openingCents, closingCents, bookedCents, receivedAt: context.clock() }
  await context.db
    .insert(bankStatements)
    .values({ cursor, iban, statementId, ...facts })
    .onConflictDoUpdate({ target: [bankStatements.cursor, bankStatements.iban, bankStatements.statementId], set: facts })
}

async function keepCursor({ db, clock }: Context, value: string): Promise<void> {
  const row = { value, updatedAt: clock() }
  await db
    .insert(cursors)
    .values({ name: CURSOR, ...row })
    .onConflictDoUpdate({ target: cursors.name, set: row })
}

export function bankJob(context: Context, bank: Bank, ports: PaymentPorts): JobKind {
  return { name: 'bank', role: 'worker', everySeconds: EVERY_SECONDS, run: () => readBank(context, bank, ports) }
}
