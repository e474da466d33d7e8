/** Files of the bank that staff upload, what became of each entry, and the days at the bank. */
import { createHash } from 'node:crypto'
import { and, asc, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { house } from '../ledger/index.ts'
import { type Actor, actorText } from '../platform/actor.ts'
import { type Executor, rowsOf } from '../platform/db/client.ts'
import type { Work } from '../platform/transaction.ts'
import type { Bank, BankBatch } from './port.ts'
import { bankFileEntries, bankFiles, bankStatements, payments } from './schema.ts'

export const UPLOAD_JOB = 'bank_file'
const EUR = 'EUR'
const LISTED = 20

/** Keeps an upload, which another person accepts before it is read. Undefined if the same file was uploaded before. */
export async function keepUpload(
  { tx, now }: Work,
  { name, xml, by }: { name: string; xml: string; by: Actor }
): Promise<bigint | undefined> {
  const digest = createHash('sha256').update(xml).digest('hex')
  const [kept] = await tx
    .insert(bankFiles)
    .values({ name, source: 'upload', digest, content: xml, uploadedBy: actorText(by), addedAt: now })
    .onConflictDoNothing()
    .returning({ id: bankFiles.id })
  return kept?.id
}

/** The upload that waits for its second person; undefined if there is none, or it is not the one that was looked at. */
export async function uploadToAccept(
  db: Executor,
  id: bigint
): Promise<{ name: string; content: string; uploadedBy: string; digest: string } | undefined> {
  const [file] = await db
    .select()
    .from(bankFiles)
    .where(and(eq(bankFiles.id, id), eq(bankFiles.source, 'upload'), isNull(bankFiles.acceptedAt), isNull(bankFiles.closedAt)))
  return file?.content && file.uploadedBy
    ? { name: file.name, content: file.content, uploadedBy: file.uploadedBy, digest: file.digest ?? '' }
    : undefined
}

/** Lets the worker read an upload. False if this person uploaded it, or somebody accepted it before. */
export async function acceptUpload({ tx, now, enqueue }: Work, id: bigint, by: Actor): Promise<boolean> {
  const accepted = await tx
    .update(bankFiles)
    .set({ acceptedBy: actorText(by), acceptedAt: now })
    .where(
      and(eq(bankFiles.id, id), isNull(bankFiles.acceptedAt), isNull(bankFiles.closedAt), ne(bankFiles.uploadedBy, actorText(by)))
    )
    .returning({ id: bankFiles.id })
  if (accepted.length > 0) await enqueue({ kind: UPLOAD_JOB, payload: {} })
  return accepted.length > 0
}

/** Gives up a file that is not received completely: it is not read again. What was received of it stays. False if it is over. */
export async function closeBankFile({ tx, now }: Work, id: bigint): Promise<boolean> {
  const closed = await tx
    .update(bankFiles)
    .set({ closedAt: now, content: null })
    .where(and(eq(bankFiles.id, id), isNull(bankFiles.receivedAt), isNull(bankFiles.closedAt)))
    .returning({ id: bankFiles.id })
  return closed.length > 0
}

/** The bank with the uploads that were not received yet, oldest first by the day of their first statement. */
export function withUploads(bank: Bank, db: Executor): Bank {
  return {
    ...bank,
    entriesSince: async (cursor) => {
      const rows = await db
        .select()
        .from(bankFiles)
        .where(
          and(
            isNull(bankFiles.receivedAt),
            isNotNull(bankFiles.content),
            isNotNull(bankFiles.acceptedAt),
            isNull(bankFiles.closedAt)
          )
        )
        .orderBy(asc(bankFiles.id))
      const uploads = rows.map(({ id, name, content }) => batchOf(bank, { id, name, xml: content ?? '' }))
      const all = [...uploads, ...(await bank.entriesSince(cursor))]
      return all.toSorted((one, other) => dateOf(one).localeCompare(dateOf(other)))
    }
  }
}

const dateOf = ({ statements }: BankBatch) => statements[0]?.datedOn ?? ''

function batchOf(bank: Bank, { id, name, xml }: { id: bigint; name: string; xml: string }): BankBatch {
  const batch = { fileId: id, cursor: `upload-${id}-${name}`, settle: async () => {} }
  try {
    return { ...batch, ...bank.read(xml) }
  } catch (error) {
    return { ...batch, statements: [], problems: [error instanceof Error ? error.message : 'The file cannot be read'] }
  }
}

/** The row of this batch: that of the upload, or one of its own for a file of the folder. */
export async function fileOf(db: Executor, { fileId, cursor }: BankBatch, now: Date): Promise<{ id: bigint; isClosed: boolean }> {
  if (fileId !== undefined) {
    const [upload] = await db.select({ closedAt: bankFiles.closedAt }).from(bankFiles).where(eq(bankFiles.id, fileId))
    return { id: fileId, isClosed: upload?.closedAt !== null }
  }
  await db.insert(bankFiles).values({ name: cursor, source: 'folder', addedAt: now }).onConflictDoNothing()
  const [row] = await db
    .select({ id: bankFiles.id, closedAt: bankFiles.closedAt })
    .from(bankFiles)
    .where(and(eq(bankFiles.name, cursor), eq(bankFiles.source, 'folder')))
  if (!row) throw new Error(`The file ${cursor} was not kept`)
  return { id: row.id, isClosed: row.closedAt !== null }
}

/** What became of an entry of the file. A file that is read again keeps what was found first. */
export async function keepFileEntry(
  db: Executor,
  fileId: bigint,
  bankEntryId: string,
  found: { paymentId: bigint; wasKnown: boolean }
): Promise<void> {
  await db
    .insert(bankFileEntries)
    .values({ fileId, bankEntryId, ...found })
    .onConflictDoNothing()
}

export async function settleFile(db: Executor, fileId: bigint, problems: string[], now: Date): Promise<void> {
  await db
    .update(bankFiles)
    .set({ problems, ...(problems.length === 0 && { receivedAt: now, content: null }) })
    .where(and(eq(bankFiles.id, fileId), isNull(bankFiles.closedAt)))
}

export async function listBankFiles(db: Executor) {
  const { id, name, source, uploadedBy, acceptedBy, closedAt, addedAt, receivedAt, problems } = bankFiles
  const rows = await db
    .select({ id, name, source, uploadedBy, acceptedBy, closedAt, addedAt, receivedAt, problems })
    .from(bankFiles)
    .orderBy(desc(id))
    .limit(LISTED)
  return Promise.all(rows.map(async (file) => ({ ...file, ...(await countsOf(db, file.id)) })))
}

async function countsOf(db: Executor, fileId: bigint) {
  const answer = await db.execute(sql`
    select count(*)::int as entries, count(*) filter (where e.was_known)::int as known,
      count(*) filter (where not e.was_known and p.outcome = 'matched')::int as matched,
      count(*) filter (where not e.was_known and p.direction = 'credit' and p.outcome <> 'matched')::int as apart
    from bank_file_entries e join payments p on p.id = e.payment_id where e.file_id = ${fileId}`)
  const [row] = rowsOf<{ entries: number; known: number; matched: number; apart: number }>(answer)
  return row ?? { entries: 0, known: 0, matched: 0, apart: 0 }
}

/** A file and the result of each entry; undefined if there is none. */
export async function bankFileOf(db: Executor, fileId: bigint) {
  const { id, name, source, uploadedBy, acceptedBy, closedAt, addedAt, receivedAt, problems } = bankFiles
  const [file] = await db
    .select({ id, name, source, uploadedBy, acceptedBy, closedAt, addedAt, receivedAt, problems })
    .from(bankFiles)
    .where(eq(id, fileId))
  if (!file) return undefined
  const results = await db
    .select({ payment: payments, wasKnown: bankFileEntries.wasKnown })
    .from(bankFileEntries)
    .innerJoin(payments, eq(payments.id, bankFileEntries.paymentId))
    .where(eq(bankFileEntries.fileId, fileId))
    .orderBy(asc(bankFileEntries.paymentId))
  return { ...file, ...(await countsOf(db, fileId)), results }
}

/** What lies at the bank by our books, now. */
const bankSum = sql`(
  select -coalesce(sum(balance), 0) from ledger_balances where owner_id = ${house('bank').owner} and kind = 'bank' and currency = ${EUR}
)`

/** The bank's balance by our books at the end of a day (yyyy-mm-dd), which hold it as a negative balance of the account `bank`. */
export async function booksAt(db: Executor, day: string): Promise<bigint> {
  // In one statement: balance and entries of the same moment.
  const answer = await db.execute(sql`
    select (${bankSum} - coalesce(sum(in_cents - out_cents), 0))::text as cents from bank_day_sums where currency = ${EUR} and day > ${day}`)
  return BigInt(rowsOf<{ cents: string }>(answer)[0]?.cents ?? 0)
}

export type BankDay = {
  day: string
  openingCents: bigint | null
  inCents: bigint
  outCents: bigint
  closingCents: bigint
  booksCents: bigint
  /** False if the bank's own figures do not add up, the day does not begin where the last one ended, or the books differ. */
  isEqual: boolean
}

const DAYS = 10

/** The newest days with a statement, the newest first. */
export async function bankDays(db: Executor): Promise<BankDay[]> {
  const newest = db
    .selectDistinct({ day: bankStatements.closedOn })
    .from(bankStatements)
    .where(isNotNull(bankStatements.closedOn))
    .orderBy(desc(bankStatements.closedOn))
    // One more: whether the oldest one follows the day before.
    .limit(DAYS + 1)
  const rows = await db
    .select()
    .from(bankStatements)
    .where(inArray(bankStatements.closedOn, newest))
    .orderBy(desc(bankStatements.closedOn), desc(bankStatements.id))
  const byDay = [...Map.groupBy(rows.toReversed(), ({ closedOn }) => closedOn ?? '')]
  const [oldest] = byDay.map(([day]) => day).toSorted()
  if (oldest === undefined) return []
  const moved = await movedSince(db, oldest)
  const days: BankDay[] = []
  for (const [day, statements] of byDay) {
    const { openingCents, closingCents } = endsOf(statements)
    if (closingCents === null) continue
    const { inCents, outCents } = moved.byDay.get(day) ?? { inCents: 0n, outCents: 0n }
    const later = [...moved.byDay].filter(([of]) => of > day)
    const booksCents = later.reduce((sum, [, one]) => sum - one.inCents + one.outCents, moved.booksCents)
    const before = days.at(-1)
    const isSum = openingCents === null || openingCents + inCents - outCents === closingCents
    const isNext = openingCents === null || !before || before.closingCents === openingCents
    days.push({
      day,
      openingCents,
      inCents,
      outCents,
      closingCents,
      booksCents,
      isEqual: isSum && isNext && booksCents === closingCents
    })
  }
  return days.toReversed().slice(0, DAYS)
}

type Statement = typeof bankStatements.$inferSelect

/**
 * Where a day begins and ends: several statements of it, or pages of one, follow one another in whichever order they came. Its beginning is an
 * opening balance that is no other's end, its end a closing balance that is no other's beginning; where that does not tell, the first and last.
 */
function endsOf(statements: Statement[]): { openingCents: bigint | null; closingCents: bigint | null } {
  const openings = statements.flatMap(({ openingCents }) => (openingCents === null ? [] : [openingCents]))
  const closings = statements.flatMap(({ closingCents }) => (closingCents === null ? [] : [closingCents]))
  return {
    openingCents: openings.find((one) => !closings.includes(one)) ?? openings[0] ?? null,
    closingCents: closings.findLast((one) => !openings.includes(one)) ?? closings.at(-1) ?? null
  }
}

/** What the statements of each day told of first: an entry that another file tells of again counts once. And the balance of the books now. */
async function movedSince(
  db: Executor,
  first: string
): Promise<{ booksCents: bigint; byDay: Map<string, { inCents: bigint; outCents: bigint }> }> {
  // In one statement: balance and entries of the same moment.
  const answer = await db.execute(sql`
    with moved as (
      select day::text as day, in_cents::text as came, out_cents::text as went from bank_day_sums where currency = ${EUR} and day >= ${first}
    )
    select b.cents, m.* from (select ${bankSum}::text as cents) b left join moved m on true`)
  const rows = rowsOf<{ cents: string; day: string | null; came: string; went: string }>(answer)
  const days = rows.flatMap(({ day, came, went }) =>
    day === null ? [] : [[day, { inCents: BigInt(came), outCents: BigInt(went) }] as const]
  )
  return { booksCents: BigInt(rows[0]?.cents ?? 0), byDay: new Map(days) }
}
