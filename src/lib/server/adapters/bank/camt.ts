/**
 * Reads the statements that the bank puts into a folder: ISO 20022 camt.053 (statement) and camt.054 (notification).
 * A file whose entries are all received moves to `processed/`; one that fails stays and is tried again.
 */
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { XMLParser } from 'fast-xml-parser'
import { readDecimal, toUnits } from '../../../domain/decimal.ts'
import { EUR_DECIMALS } from '../../../domain/purchase.ts'
import type { BankDetails } from '../../config.ts'
import type { Log } from '../../log.ts'
import type { Bank, BankEntry } from '../../ports.ts'

const POLL_MS = 60_000
const LISTS = new Set(['Stmt', 'Ntfctn', 'Ntry', 'TxDtls', 'Ustrd', 'Strd', 'NtryDtls'])

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

function amountOf(amount: unknown): { amountCents: bigint; currency: string } | undefined {
  const value = readDecimal(text(amount))
  return value && { amountCents: toUnits(value, EUR_DECIMALS, 'down'), currency: text(at(amount, '@Ccy')) }
}

function remittanceOf(details: unknown): string {
  const structured = list(details, 'RmtInf', 'Strd').map((item) => text(at(item, 'CdtrRefInf', 'Ref')))
  const unstructured = list(details, 'RmtInf', 'Ustrd').map(text)
  return [...structured, ...unstructured, text(at(details, 'Refs', 'EndToEndId'))].filter(Boolean).join(' ')
}

function entriesOfOne(entry: unknown): BankEntry[] {
  const isCredit = text(at(entry, 'CdtDbtInd')) === 'CRDT' && text(at(entry, 'RvslInd')) !== 'true'
  const status = text(at(entry, 'Sts', 'Cd')) || text(at(entry, 'Sts'))
  if (!isCredit || (status !== '' && status !== 'BOOK')) return []
  const details = list(entry, 'NtryDtls').flatMap((part) => list(part, 'TxDtls'))
  const parts = details.length > 0 ? details : [undefined]
  return parts.flatMap((part, index) => {
    const amount = amountOf(at(part, 'Amt') ?? at(part, 'AmtDtls', 'TxAmt', 'Amt') ?? at(entry, 'Amt'))
    const bankReference = text(at(part, 'Refs', 'AcctSvcrRef')) || text(at(entry, 'AcctSvcrRef')) || text(at(entry, 'NtryRef'))
    if (!amount || amount.amountCents <= 0n || bankReference === '') return []
    return [
      {
        entryId: parts.length > 1 ? `${bankReference}/${index}` : bankReference,
        ...amount,
        remittance: remittanceOf(part),
        payerName: text(at(part, 'RltdPties', 'Dbtr', 'Pty', 'Nm')) || text(at(part, 'RltdPties', 'Dbtr', 'Nm')),
        payerIban: text(at(part, 'RltdPties', 'DbtrAcct', 'Id', 'IBAN'))
      }
    ]
  })
}

/** The booked credits of a camt file. Amounts in cents. */
export function readCamt(xml: string): BankEntry[] {
  const document = at(parser.parse(xml), 'Document')
  const statements = [...list(document, 'BkToCstmrStmt', 'Stmt'), ...list(document, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn')]
  if (statements.length === 0) throw new Error('This is neither a camt.053 nor a camt.054 file')
  return statements.flatMap((statement) => list(statement, 'Ntry').flatMap(entriesOfOne))
}

export function camtBank(details: BankDetails, folder: string, log: Log): Bank {
  async function readFolder(receive: (entry: BankEntry) => Promise<unknown>): Promise<void> {
    const processed = join(folder, 'processed')
    await mkdir(processed, { recursive: true })
    const files = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith('.xml')).sort()
    for (const file of files) {
      try {
        for (const entry of readCamt(await readFile(join(folder, file), 'utf8'))) await receive(entry)
        await rename(join(folder, file), join(processed, file))
      } catch (error) {
        log.error({ file, err: error }, 'bank statement not read')
      }
    }
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
