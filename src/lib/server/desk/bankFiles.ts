/** The bank's statements that staff bring in and accept, and what each file and each day at the bank held. */
import { findReference } from '#lib/domain/orders/reference.ts'
import { nameInitials } from '#lib/domain/payments/names.ts'
import { findOrder } from '../orders/index.ts'
import { acceptUpload, type Bank, bankDays, bankFileOf, keepUpload, listBankFiles, uploadToAccept } from '../payments/index.ts'
import { actorText } from '../platform/actor.ts'
import type { Context } from '../platform/context.ts'
import type { Executor } from '../platform/db/client.ts'
import { DeskError, decideBriefly, keepEntry, mayStill, namesOf, type Staff, staffActor } from '../staff/index.ts'
import { type Names, nameOf } from './names.ts'
import { paymentDecision, requireOthersOrder } from './paymentActs.ts'
import { shownPayment } from './paymentStory.ts'
import type { DeskHandlers, Propose } from './types.ts'

type BankFileCall =
  | 'uploadStatement'
  | 'acceptStatement'
  | 'proposeCloseBankFile'
  | 'listBankFiles'
  | 'getBankFile'
  | 'listBankDays'
/** The most entries of an upload that its preview shows. */
const PREVIEWED = 1000

export function bankFileHandlers(
  context: Context,
  bank: Bank,
  propose: Propose<'close_bank_file'>
): Pick<DeskHandlers, BankFileCall> {
  const { db } = context
  const decide = paymentDecision(context)
  return {
    uploadStatement: async ({ staff, body: { name, content } }) => {
      const found = checked(bank, content)
      await decideBriefly(context, staff, 'upload_statement', async (work) => {
        const id = await keepUpload(work, { name, xml: content, by: staffActor(staff) })
        if (id === undefined) throw new DeskError('file_known')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'upload_statement',
          subject: `bank_file:${id}`,
          why: '',
          details: { name, ...found }
        })
      })
      return {
        message: `Taken: ${found.statements} statements with ${found.entries} entries. Another person accepts the file; then it is read.`
      }
    },
    acceptStatement: async ({ staff, params, body: { why, digest } }) => {
      const id = BigInt(params.id)
      await decide(staff, 'accept_statement', async (work) => {
        const file = await uploadToAccept(work.tx, id)
        // What was looked at, brought by somebody who still may.
        const uploader = file?.uploadedBy.replace('staff:', '') ?? ''
        if (file?.digest !== digest || !(await mayStill(work.tx, uploader, 'upload_statement')))
          throw new DeskError('file_not_to_accept')
        await requireOthersFile(work.tx, bank, file, staff)
        if (!(await acceptUpload(work, id, staffActor(staff)))) throw new DeskError('file_not_to_accept')
        await keepEntry(work, {
          actor: staffActor(staff),
          act: 'accept_statement',
          subject: `bank_file:${id}`,
          why,
          details: { name: file.name, digest }
        })
      })
      return { message: 'Accepted. It is read within a minute.' }
    },
    proposeCloseBankFile: ({ staff, params, body }) => propose(staff, 'close_bank_file', { id: params.id }, body.why),
    listBankFiles: async ({ staff }) => {
      const [files, names] = await Promise.all([listBankFiles(db), namesOf(db)])
      return files.map((file) => shownFile(names, staff, file))
    },
    getBankFile: async ({ staff, params }) => {
      const id = BigInt(params.id)
      const [file, names, waiting] = await Promise.all([bankFileOf(db, id), namesOf(db), uploadToAccept(db, id)])
      if (!file) throw new DeskError('not_found')
      return {
        ...shownFile(names, staff, file),
        preview: waiting ? previewOf(bank, waiting) : null,
        results: file.results.map(({ payment, wasKnown }) => ({ ...shownPayment(payment), wasKnown }))
      }
    },
    listBankDays: async () =>
      (await bankDays(db)).map(({ openingCents, inCents, outCents, closingCents, booksCents, ...rest }) => ({
        ...rest,
        openingCents: openingCents?.toString() ?? null,
        inCents: inCents.toString(),
        outCents: outCents.toString(),
        closingCents: closingCents.toString(),
        booksCents: booksCents.toString()
      }))
  }
}

/** What an upload would tell: what it amounts to, what is wrong with it, and its entries, masked. */
function previewOf(bank: Bank, { content, digest }: { content: string; digest: string }) {
  const { statements, problems } = bank.read(content)
  const told = statements.flatMap(({ entries }) => entries)
  const entries = told.flatMap((entry) => ('unreadable' in entry ? [] : [entry]))
  const sum = (direction: 'credit' | 'debit') =>
    entries.reduce((total, entry) => total + (entry.direction === direction ? entry.amountCents : 0n), 0n).toString()
  return {
    digest,
    statements: statements.map(({ statementId, closedOn, openingCents, closingCents }) => ({
      statementId,
      closedOn: closedOn ?? null,
      openingCents: openingCents?.toString() ?? null,
      closingCents: closingCents?.toString() ?? null
    })),
    entries: entries.length,
    inCents: sum('credit'),
    outCents: sum('debit'),
    problems: [
      ...problems,
      ...statements.flatMap((statement) => statement.problems),
      ...told.flatMap((entry) => ('unreadable' in entry ? [entry.unreadable] : []))
    ],
    shown: entries.slice(0, PREVIEWED).map((entry) => ({
      direction: entry.direction,
      amountCents: entry.amountCents.toString(),
      currency: entry.currency,
      payer: nameInitials(entry.payerName),
      bookedOn: entry.bookedOn,
      orderId: findReference(entry.remittance) ?? null
    }))
  }
}

/** Nobody brings in, or accepts, a file that names an order of their own. Throws `own_account`. */
async function requireOthersFile(
  db: Executor,
  bank: Bank,
  { content, uploadedBy }: { content: string; uploadedBy: string },
  staff: Staff
): Promise<void> {
  const entries = bank.read(content).statements.flatMap(({ entries: told }) => told)
  const named = new Set(entries.map((entry) => ('unreadable' in entry ? undefined : findReference(entry.remittance))))
  for (const orderId of named) {
    const order = orderId && (await findOrder(db, orderId, { lock: false }))
    if (order) for (const id of [staff.id, uploadedBy.replace('staff:', '')]) await requireOthersOrder(db, { id }, order.userId)
  }
}

/** What the file holds; throws `invalid_fields` with the sentence of what is wrong with it. */
function checked(bank: Bank, content: string): { statements: number; entries: number } {
  const refuse = (why: string) => new DeskError('invalid_fields', { fields: { content: why } })
  const read = () => {
    try {
      return bank.read(content)
    } catch (error) {
      throw refuse(error instanceof Error ? error.message : 'The file cannot be read')
    }
  }
  const { statements, problems } = read()
  if (statements.length === 0) throw refuse(problems[0] ?? 'The file has no statement.')
  return { statements: statements.length, entries: statements.reduce((sum, { entries }) => sum + entries.length, 0) }
}

type File = Awaited<ReturnType<typeof listBankFiles>>[number]
const shownFile = (names: Names, staff: Staff, file: File) => {
  const { id, name, source, problems, entries, known, matched, apart, uploadedBy, acceptedBy, addedAt, receivedAt, closedAt } =
    file
  return {
    id: String(id),
    name,
    source,
    problems,
    entries,
    known,
    matched,
    apart,
    by: uploadedBy && nameOf(names, uploadedBy),
    acceptedBy: acceptedBy && nameOf(names, acceptedBy),
    isYours: uploadedBy === actorText(staffActor(staff)),
    addedAt: addedAt.toISOString(),
    receivedAt: receivedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null
  }
}
