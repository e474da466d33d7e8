/**
 * Reads the statements that the bank puts into a folder: ISO 20022 camt.053. (camt.054 tells the same money once more
 * under other references: taking both would book it twice.) A file whose entries are all received moves to
 * `processed/`; one with an entry that cannot be read or received stays, says so in the log, and is tried again.
 */
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { readDecimal, toUnits } from '#lib/domain/money/decimal.ts'
import { EUR_DECIMALS } from '#lib/domain/orders/purchase.ts'
import type { BankDetails } from '../../platform/config.ts'
import type { Log } from '../../platform/log.ts'
import type { Bank, BankEntry } from '../../platform/ports.ts'

const POLL_MS = 60_000
const LISTS = new Set(['Stmt', 'Ntry', 'TxDtls', 'Ustrd', 'Strd', 'NtryDtls'])

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  processEntities: true,
  isArray: (name) => LISTS.has(name)
})

/** The element at `path` below `node`, or undefined; the parser promises nothing about what a file holds. */
function at(node: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (here, name) => (typeof here === 'object' && here !== null ? (here as Record<string, unknown>)[name] : undefined),
    node
  )
}

function list(node: unknown, ...path: string[]): unknown[] {
  const found = at(node, ...path)
  return Array.isArray(found) ? found : []
}

function text(node: unknown): string {
  if (node === undefined || node === null) return ''
  return typeof node === 'object' ? String(at(node, '#text') ?? '') : String(node)
}

class UnreadableError extends Error {
  override name = 'UnreadableError'
}

function amountOf(amount: unknown): { amountCents: bigint; currency: string } {
  const value = readDecimal(text(amount))
  const currency = text(at(amount, '@Ccy'))
  const amountCents = value && toUnits(value, EUR_DECIMALS, 'down')
  if (!amountCents || currency === '') throw new UnreadableError(`An entry has no readable amount: "${text(amount)}"`)
  return { amountCents, currency }
}

function remittanceOf(details: unknown): string {
  const structured = list(details, 'RmtInf', 'Strd').map((item) => text(at(item, 'CdtrRefInf', 'Ref')))
  const unstructured = list(details, 'RmtInf', 'Ustrd').map(text)
  return [...structured, ...unstructured, text(at(details, 'Refs', 'EndToEndId'))].filter(Boolean).join(' ')
}

function isBookedCredit(entry: unknown): boolean {
  const status = text(at(entry, 'Sts', 'Cd')) || text(at(entry, 'Sts'))
  const isReversal = ['true', '1'].includes(text(at(entry, 'RvslInd')))
  return text(at(entry, 'CdtDbtInd')) === 'CRDT' && !isReversal && (status === '' || status === 'BOOK')
}

function entriesOfOne(statementId: string, entry: unknown): BankEntry[] {
  if (!isBookedCredit(entry)) return []
  // The bank's own reference is the same for ever; that of the entry only counts within its statement.
  const ownReference = text(at(entry, 'AcctSvcrRef'))
  const entryReference = text(at(entry, 'NtryRef'))
  const reference = ownReference || (entryReference && statementId && `${statementId}/${entryReference}`)
  if (!reference) throw new UnreadableError('An entry has no reference by which it could be told from another')
  const details = list(entry, 'NtryDtls').flatMap((part) => list(part, 'TxDtls'))
  const parts = details.length > 0 ? details : [undefined]
  return parts.map((part, index) => ({
    entryId: parts.length > 1 ? `${reference}/${index}` : reference,
    // Only a single part may take the amount of the whole.
    ...amountOf(at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt') ?? (parts.length === 1 ? at(entry, 'Amt') : undefined)),
    remittance: remittanceOf(part),
    payerName: text(at(part, 'RltdPties', 'Dbtr', 'Pty', 'Nm')) || text(at(part, 'RltdPties', 'Dbtr', 'Nm')),
    payerIban: text(at(part, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN'))
  }))
}

const plainIban = (iban: string) => iban.replace(/\s/g, '').toUpperCase()

/** The booked credits of a camt.053 file on the account `iban`, amounts in cents; throws where one can't be read. */
export function readCamt(xml: string, iban: string): BankEntry[] {
  const statements = list(at(parser.parse(xml), 'Document', 'BkToCstmrStmt'), 'Stmt')
  if (statements.length === 0) throw new UnreadableError('This is no camt.053 file')
  return statements
    .filter((statement) => plainIban(text(at(statement, 'Acct', 'Id', 'IBAN'))) === plainIban(iban))
    .flatMap((statement) => list(statement, 'Ntry').flatMap((entry) => entriesOfOne(text(at(statement, 'Id')), entry)))
}

export function camtBank(details: BankDetails, folder: string, log: Log): Bank {
  async function readFolder(receive: (entry: BankEntry) => Promise<unknown>): Promise<void> {
    const processed = join(folder, 'processed')
    await mkdir(processed, { recursive: true })
    const files = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.xml')).sort()
    for (const file of files) {
      if (await readFileOnce(join(folder, file), receive)) await rename(join(folder, file), join(processed, file))
    }
  }

  /** Whether every entry was received; one that was not does not keep the others back. */
  async function readFileOnce(path: string, receive: (entry: BankEntry) => Promise<unknown>): Promise<boolean> {
    let isComplete = true
    const note = (error: unknown, entryId?: string) => {
      isComplete = false
      log.error({ path, entryId, err: error }, 'bank statement not received')
    }
    try {
      for (const entry of readCamt(await readFile(path, 'utf8'), details.euroIban)) {
        await receive(entry).catch((error: unknown) => note(error, entry.entryId))
      }
    } catch (error) {
      note(error)
    }
    return isComplete
  }

  return {
    details,
    listen: (receive) => {
      const read = () => readFolder(receive).catch((error: unknown) => log.error({ err: error }, 'bank folder not read'))
      let running = read()
      const timer = setInterval(() => {
        running = running.then(read)
      }, POLL_MS)
      return {
        stop: async () => {
          clearInterval(timer)
          await running
        }
      }
    }
  }
}
