/**
 * The folder where the bank puts its files. A file that is no longer being written is moved to `working/` under a
 * unique name and read there; once received completely, it moves to `processed/`. A file with a problem stays in
 * `working/`, with the reason in a text file beside it, and is tried again.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BankDetails } from '../../orders/index.ts'
import type { Log } from '../../platform/log.ts'
import { UnreadableError } from '../../platform/xml.ts'
import type { Bank, BankBatch } from '../port.ts'
import { readCamt } from './camt.ts'
import { writePain } from './pain.ts'

/** A file that was changed within this time may still be being written. */
const SETTLED_MS = 5000
const MOST_BYTES = 20 * 1024 * 1024

type Options = { settledMs?: number; nowMs?: () => number }

export function folderBank(
  details: BankDetails,
  folder: string,
  log: Log,
  { settledMs = SETTLED_MS, nowMs = Date.now }: Options = {}
): Bank {
  const working = join(folder, 'working')
  const processed = join(folder, 'processed')
  const said = new Map<string, string>()

  /** Moves a file, unless another process has just moved it. */
  async function moveAway(from: string, to: string): Promise<void> {
    await rename(from, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  async function collect(): Promise<void> {
    for (const name of await xmlFiles(folder)) {
      const file = await stat(join(folder, name)).catch(() => undefined)
      // The clock counts whole milliseconds, the file's time has fractions.
      if (!file || nowMs() - Math.floor(file.mtimeMs) < settledMs) continue
      const unique = `${new Date(nowMs()).toISOString().replace(/[:.]/g, '-')}-${randomUUID().slice(0, 8)}-${name}`
      await moveAway(join(folder, name), join(working, unique))
    }
  }

  async function settle(name: string, problems: string[]): Promise<void> {
    const why = join(working, `${name}.why.txt`)
    if (problems.length === 0) {
      await rm(why, { force: true })
      await moveAway(join(working, name), join(processed, name))
      said.delete(name)
      return
    }
    const text = problems.join('\n')
    // Log a problem once, not every minute.
    if (said.get(name) !== text) log.error({ file: name, problems }, 'bank statement not received completely')
    said.set(name, text)
    await writeFile(why, `${text}\n`)
  }

  /** Undefined if another process has just received the file and moved it on. */
  async function read(name: string): Promise<Pick<BankBatch, 'statements' | 'problems'> | undefined> {
    const path = join(working, name)
    try {
      const before = await stat(path)
      if (before.size > MOST_BYTES) throw new UnreadableError(`The file has more than ${MOST_BYTES / 1024 / 1024} MiB`)
      const xml = await readFile(path, 'utf8')
      const after = await stat(path)
      if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
        throw new UnreadableError('The file is still being written')
      return readCamt(xml, details.euroIban)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      // A faulty file must not block the others, whatever is wrong with it.
      return { statements: [], problems: [error instanceof Error ? error.message : 'The file cannot be read'] }
    }
  }

  return {
    details,
    read: (xml) => readCamt(xml, details.euroIban),
    write: (file) => writePain(file, details),
    // Ignores the cursor: every file left in `working/` has not been received yet.
    entriesSince: async () => {
      await Promise.all([mkdir(working, { recursive: true }), mkdir(processed, { recursive: true })])
      await collect()
      const batches: BankBatch[] = []
      for (const name of await xmlFiles(working)) {
        const found = await read(name)
        if (found) batches.push({ cursor: name, ...found, settle: (problems) => settle(name, problems) })
      }
      return batches.sort((one, other) => dateOf(one).localeCompare(dateOf(other)) || one.cursor.localeCompare(other.cursor))
    }
  }
}

/** The date by which batches are sorted: statements build on one another, so a backlog is received in order. */
function dateOf({ statements }: BankBatch): string {
  return statements[0]?.datedOn ?? ''
}

async function xmlFiles(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true })
  return found
    .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith('.xml'))
    .map(({ name }) => name)
    .sort()
}
